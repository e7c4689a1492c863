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
package io.sluice.framing.fuzz;

import static io.sluice.framing.testkit.Wire.concat;

import io.sluice.framing.testkit.Vectors;
import io.sluice.framing.testkit.Wire;
import io.sluice.framing.testkit.WireBytes;
import java.util.LinkedHashMap;
import java.util.Map;

/** The inputs that a search starts from: golden bytes and what the test kit makes of them. */
final class SeedCorpus
{
    private static final byte[] ID = WireBytes.hex("4b9feb82d7ece0378ec0f750810ceb4e");
    private static final byte[] METADATA_ID = WireBytes.hex("20b7fe8510d99228eec24d9ecd5a2ff1");
    private static final int V3 = 0;
    private static final int V4 = 1;
    private static final int V5 = 2;
    private static final int WITH_PAYLOAD = 0x04;
    /** Longer vectors stay out: a search tries inputs as long as the longest seed. */
    private static final int LONGEST_VECTOR = 1024;

    private final Map<String, byte[]> seeds = new LinkedHashMap<>();

    /** By path below the package: class with "Inputs", method, name. */
    static Map<String, byte[]> all()
    {
        final SeedCorpus corpus = new SeedCorpus();
        corpus.addVectors();
        corpus.addSegments();
        corpus.addStreams();
        corpus.addHandshake();
        for (int version = V3; version <= V5; version++)
        {
            corpus.addRequests(version);
        }
        corpus.addCompressed();
        return corpus.seeds;
    }

    private void add(final String target, final String name, final int[] control, final byte[]... parts)
    {
        final byte[] steering = new byte[control.length];
        for (int i = 0; i < control.length; i++)
        {
            steering[i] = (byte)control[i];
        }
        seeds.put(target + "/" + name, concat(steering, concat(parts)));
    }

    private void addVectors()
    {
        for (final Map<String, String> vector : Vectors.load("segments.json"))
        {
            final String hex = vector.get("segmentHex");
            if (hex != null && hex.length() <= 2 * LONGEST_VECTOR)
            {
                final String format = Boolean.parseBoolean(vector.get("compressed")) ? "lz4" : "plain";
                addToBoth(format, vector.get("name"), Segments.AS_IS, WireBytes.hex(hex));
            }
        }
        for (final Map<String, String> vector : Vectors.load("damaged.json"))
        {
            addToBoth("plain", vector.get("name"), Segments.AS_IS, WireBytes.hex(vector.get("hex")));
            addToBoth("plain", vector.get("name") + "-repaired", Segments.REPAIRED,
                WireBytes.hex(vector.get("hex")));
        }
    }

    private void addToBoth(final String format, final String name, final int mode, final byte[] wire)
    {
        add("SegmentStreamFuzzTestInputs/" + format, name, new int[]{0, 6, 0, mode}, wire);
        add("SegmentedEnvelopesFuzzTestInputs/" + format, name, new int[]{0, 0, 12, mode}, wire);
    }

    private static byte[] payload(final int flags, final byte[] payload)
    {
        return new WireBytes().int1(flags).int2(payload.length).raw(payload).toArray();
    }

    private void addSegments()
    {
        final byte[] query = Wire.query(5, 17, 60);
        final byte[] several = concat(Wire.options(5, 1), query, Wire.envelope(5, 0, 18, Wire.RESULT, new byte[3]),
            Wire.options(4, 3), Wire.options(5, 2));
        for (final String format : new String[]{"plain", "lz4"})
        {
            addToBoth(format, "wrapped-envelopes", Segments.WRAPPED, concat(payload(3, several), payload(1, several)));
            addToBoth(format, "wrapped-pieces", Segments.WRAPPED,
                concat(payload(0, Wire.slice(query, 0, 20)), payload(1, Wire.options(5, 9)),
                    payload(2, Wire.slice(query, 20, 59)), payload(0, Wire.slice(query, 59, 60)),
                    payload(0, query)));
            addToBoth(format, "wrapped-scraps", Segments.WRAPPED,
                concat(payload(1, Wire.slice(query, 0, 30)), payload(0, new byte[0])));
            for (int policy = 1; policy <= EnvelopeRun.STOPS_ON_ERROR; policy <<= 1)
            {
                add("SegmentedEnvelopesFuzzTestInputs/" + format, "policy-" + policy,
                    new int[]{policy, 30, 1, Segments.WRAPPED}, payload(3, concat(several, Wire.options(5, 4))),
                    payload(1, Wire.options(5, 5)));
            }
        }
    }

    private void addStreams()
    {
        final String target = "EnvelopeStreamFuzzTestInputs/stream";
        for (int version = 3; version <= 4; version++)
        {
            final byte[] several = concat(Wire.options(version, 1), Wire.query(version, 2, 70),
                Wire.envelope(version, 0, 3, Wire.RESULT, new byte[5]), Wire.envelope(version, 0, 4, 0x6f, new byte[2]),
                Wire.options(version, 4), Wire.options(version, 5));
            for (int policy = 0; policy <= EnvelopeRun.STOPS_ON_ERROR; policy = policy == 0 ? 1 : policy << 1)
            {
                add(target, "v" + version + "-policy-" + policy, new int[]{policy, 4, 10, version - 2}, several);
            }
            add(target, "v" + version + "-claims-2-gib", new int[]{0, 0, 0, version - 2},
                Wire.header(version, 1, 1, Wire.QUERY, Integer.MAX_VALUE), new byte[6]);
            add(target, "v" + version + "-claims-60-mib", new int[]{0, 0, 0, version - 2},
                Wire.header(version, 0, 1, Wire.QUERY, 60 << 20), new byte[6]);
            add(target, "v" + version + "-negative-length", new int[]{0, 0, 0, version - 2},
                Wire.header(version, 0, 1, Wire.QUERY, -1), new byte[6]);
        }
        add(target, "startup-golden", new int[]{0, 8, 0, 0},
            WireBytes.hex("05 00 0000 01 00000016 0001 000b\"CQL_VERSION\" 0005\"3.0.0\""), Wire.options(5, 1));
        add(target, "version-2", new int[]{0, 2, 3, 0}, Wire.legacyHeader(2, 1, Wire.OPTIONS, 0));
        add(target, "version-6", new int[]{0, 2, 3, 0}, Wire.envelope(6, 0x10, 1, Wire.OPTIONS, new byte[0]));
        add(target, "version-66", new int[]{0, 2, 3, 0}, Wire.envelope(66, 0, 1, Wire.OPTIONS, new byte[0]));
    }

    private void addHandshake()
    {
        final String target = "RequestBodyFuzzTestInputs/";
        add(target + "startup", "version", new int[]{V5}, WireBytes.hex("0001 000b\"CQL_VERSION\" 0005\"3.0.0\""));
        add(target + "startup", "all", new int[]{V4},
            WireBytes.hex("0005 000b\"CQL_VERSION\" 0005\"3.0.0\" 000b\"compression\" 0003\"lz4\"" +
                "0011\"THROW_ON_OVERLOAD\" 0001\"1\" 000b\"DRIVER_NAME\" 0002 c3a4 000b\"CQL_VERSION\" 0000"));
        add(target + "register", "two", new int[]{V4},
            WireBytes.hex("0002 000d\"STATUS_CHANGE\" 000d\"schema_change\""));
        add(target + "register", "unknown", new int[]{V3}, WireBytes.hex("0001 000c\"TRACE_CHANGE\""));
        add(target + "authResponse", "plain", new int[]{V5}, WireBytes.hex("00000005 00\"a\"00\"b\"00"));
        add(target + "authResponse", "null", new int[]{V3}, WireBytes.hex("ffffffff"));
    }

    private static WireBytes parameters(final WireBytes out, final int version, final int flags)
    {
        out.int2(4);
        if (version == V5)
        {
            out.int4(flags);
        }
        else
        {
            out.int1(flags);
        }
        if ((flags & 0x40) != 0)
        {
            out.int2(2).string("zwei").bytes(new byte[]{2}).string("\u00edns").bytes(null);
        }
        else if ((flags & 0x01) != 0)
        {
            out.int2(4).bytes(new byte[]{1, 2, 3}).bytes(new byte[0]).int4(-1).int4(-2);
        }
        if ((flags & 0x04) != 0)
        {
            out.int4(5000).bytes(new byte[]{9, 8, 7}).int2(9).int8(-5L).string("ks");
        }
        return (flags & 0x100) != 0 && version == V5 ? out.int4(-2) : out;
    }

    private void addRequests(final int version)
    {
        final String target = "RequestBodyFuzzTestInputs/";
        final byte[] payload = new WireBytes().int2(2)
            .string("k")
            .bytes(new byte[]{-1})
            .string("n")
            .bytes(null)
            .toArray();
        for (final int flags : new int[]{0, 0x01, 0x41, 0x1BF, 0x1FF})
        {
            final String name = "v" + (3 + version) + "-flags-" + flags;
            add(target + "query", name, new int[]{version},
                parameters(new WireBytes().longString("SELECT \u20ac FROM t"), version, flags).toArray());
            add(target + "execute", name, new int[]{version}, execute(version, flags));
            add(target + "batch", name, new int[]{version}, batch(version, flags));
        }
        final WireBytes prepare = new WireBytes().longString("SELECT * FROM t");
        final byte[] body = version == V5 ? prepare.int4(1).string("ks").toArray() : prepare.toArray();
        add(target + "prepare", "v" + (3 + version), new int[]{version}, body);
        add(target + "prepare", "v" + (3 + version) + "-payload", new int[]{version | WITH_PAYLOAD}, payload, body);
        add(target + "query", "v" + (3 + version) + "-payload", new int[]{version | WITH_PAYLOAD}, payload,
            parameters(new WireBytes().longString("SELECT 1"), version, 1).toArray());
        add(target + "query", "v" + (3 + version) + "-claims-2-gib", new int[]{version},
            WireBytes.hex("00000001 71 0001"), version == V5 ? new byte[]{0, 0, 0, 1} : new byte[]{1},
            WireBytes.hex("0001 7fffffff 00"));
        add(target + "batch", "v" + (3 + version) + "-claims-65535", new int[]{version}, WireBytes.hex("00 ffff 00"));
    }

    private static byte[] execute(final int version, final int flags)
    {
        final WireBytes out = new WireBytes().shortBytes(ID);
        return parameters(version == V5 ? out.shortBytes(METADATA_ID) : out, version, flags).toArray();
    }

    private static byte[] batch(final int version, final int flags)
    {
        final WireBytes out = new WireBytes().int1(1).int2(3);
        out.int1(0).longString("INSERT \u00fc").int2(0);
        out.int1(1).shortBytes(ID).int2(2).bytes(new byte[]{1}).bytes(null);
        out.int1(0).longString("").int2(1).bytes(new byte[0]);
        return parameters(out, version, flags).toArray();
    }

    private void addCompressed()
    {
        final byte[] text = "SELECT key FROM system.local WHERE key = 'local local local local'"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        final byte[] block = Wire.lz4Block(text);
        final String lz4 = "BodyCompressionFuzzTestInputs/lz4";
        for (int wrong = -1; wrong <= 1; wrong++)
        {
            add(lz4, "declared-" + (wrong < 0 ? "less" : wrong > 0 ? "more" : "right"), new int[]{0},
                new WireBytes().int4(text.length + wrong).raw(block).toArray());
        }
        add(lz4, "zeros", new int[]{0}, new WireBytes().int4(5000).raw(Wire.lz4Block(new byte[5000])).toArray());
        add(lz4, "over-the-limit", new int[]{3},
            new WireBytes().int4(5000).raw(Wire.lz4Block(new byte[5000])).toArray());
        add(lz4, "claims-2-gib", new int[]{4}, new WireBytes().int4(Integer.MAX_VALUE).raw(block).toArray());
        add(lz4, "negative", new int[]{4}, new WireBytes().int4(-1).raw(block).toArray());
        add(lz4, "nothing", new int[]{0}, new WireBytes().int4(0).int1(0).toArray());
        final String snappy = "BodyCompressionFuzzTestInputs/snappy";
        // Three literal bytes, then nine bytes from three before: a copy with an offset of one byte.
        add(snappy, "copy", new int[]{0}, WireBytes.hex("0c 08 \"abc\" 15 03"));
        add(snappy, "long-copy", new int[]{0}, WireBytes.hex("43 08 \"abc\" fe 0300"));
        add(snappy, "literal", new int[]{0}, WireBytes.hex("05 10 \"hello\""));
        add(snappy, "declares-more", new int[]{0}, WireBytes.hex("06 10 \"hello\""));
        add(snappy, "over-the-limit", new int[]{2}, WireBytes.hex("05 10 \"hello\""));
        add(snappy, "claims-4-gib", new int[]{4}, WireBytes.hex("ffffffff0f 10 \"hello\""));
        add(snappy, "nothing", new int[]{0}, WireBytes.hex("00"));
    }
}
