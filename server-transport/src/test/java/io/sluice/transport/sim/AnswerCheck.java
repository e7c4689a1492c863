/*
 * Copyright 2026 The Sluice Authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sluice.transport.sim;

/** Whether an answer is one that its request may get. */
final class AnswerCheck
{
    private static final int SERVER_ERROR = 0x0000;
    private static final int BAD_CREDENTIALS = 0x0100;
    private static final int OVERLOADED = 0x1001;
    private static final int INVALID = 0x2200;

    private AnswerCheck()
    {
    }

    static void check(final Ask ask, final Answer answer)
    {
        if (answer.version != ask.client.version && !ask.anyVersion)
        {
            throw new SimulationFailure("version " + answer.version + " answers " + ask);
        }
        switch (ask.kind)
        {
            case GOOD -> checkGood(ask, answer);
            case REFUSED ->
            {
                if (answer.opcode != Answer.ERROR || answer.errorCode() != ask.errorCode && !isOverload(ask, answer))
                {
                    throw wrong(ask, answer);
                }
            }
            default ->
            {
                if (answer.opcode != Answer.ERROR)
                {
                    throw wrong(ask, answer);
                }
            }
        }
    }

    private static void checkGood(final Ask ask, final Answer answer)
    {
        if (answer.opcode == Answer.ERROR)
        {
            checkError(ask, answer);
            return;
        }
        switch (ask.opcode)
        {
            case Ask.OPTIONS -> expect(ask, answer, Answer.SUPPORTED);
            case Ask.REGISTER -> expect(ask, answer, Answer.READY);
            case Ask.STARTUP -> expect(ask, answer, ask.client.simulation.plan().loginNeeded
                ? Answer.AUTHENTICATE
                : Answer.READY);
            case Ask.AUTH_RESPONSE ->
            {
                if (answer.opcode != Answer.AUTH_CHALLENGE && answer.opcode != Answer.AUTH_SUCCESS)
                {
                    throw wrong(ask, answer);
                }
            }
            default ->
            {
                expect(ask, answer, Answer.RESULT);
                checkPrefixes(ask, answer);
                PatternBody.check(ask, answer.body);
            }
        }
    }

    private static void checkPrefixes(final Ask ask, final Answer answer)
    {
        final boolean prefixes = answer.version >= 4;
        if (answer.traced != ask.traced || ask.traced && answer.tracingId != ask.nonce)
        {
            throw new SimulationFailure("tracing id " + answer.tracingId + " answers " + ask);
        }
        final boolean warned = answer.warnings != null && answer.warnings.contains("w" + ask.nonce);
        if (warned != (ask.warned && prefixes))
        {
            throw new SimulationFailure("warnings " + answer.warnings + " answer " + ask);
        }
        if ((answer.customPayload != null) != (ask.payload && prefixes))
        {
            throw new SimulationFailure("payload " + answer.customPayload + " answers " + ask);
        }
    }

    private static void checkError(final Ask ask, final Answer answer)
    {
        final int code = answer.errorCode();
        final boolean has = switch (code)
        {
            case OVERLOADED -> mayBeOverloaded(ask);
            case SERVER_ERROR -> mayFail(ask, answer);
            case INVALID -> ask.mode == Ask.Mode.FAIL_WITH_CODE && answer.errorText().equals("no " + ask.nonce);
            case BAD_CREDENTIALS -> ask.opcode == Ask.AUTH_RESPONSE;
            default -> false;
        };
        if (!has)
        {
            throw wrong(ask, answer);
        }
    }

    private static boolean mayBeOverloaded(final Ask ask)
    {
        final Simulation simulation = ask.client.simulation;
        return ask.isForNode() && (simulation.plan().sheds || ask.client.throwsOnOverload) ||
            simulation.plan().rejects || simulation.plan().memoryRefusedOneIn > 0 || simulation.isEnding() ||
            simulation.isClosing(ask.client);
    }

    private static boolean mayFail(final Ask ask, final Answer answer)
    {
        final Simulation simulation = ask.client.simulation;
        return switch (ask.mode)
        {
            case THROW, FAIL_WITH_EXCEPTION, THROW_WHILE_ENCODING -> true;
            default -> answer.errorText().contains("not answered in time") &&
                simulation.nanos() - ask.askedNanos >= simulation.plan().limits.exchangeTimeout().toNanos();
        };
    }

    static boolean isOverload(final Ask ask, final Answer answer)
    {
        return answer.opcode == Answer.ERROR && answer.errorCode() == OVERLOADED && mayBeOverloaded(ask);
    }

    private static void expect(final Ask ask, final Answer answer, final int opcode)
    {
        if (answer.opcode != opcode)
        {
            throw wrong(ask, answer);
        }
    }

    private static SimulationFailure wrong(final Ask ask, final Answer answer)
    {
        return new SimulationFailure(answer + " answers " + ask);
    }
}
