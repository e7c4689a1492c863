# Folders, class path and JVM options of this installation; read by the scripts beside it.
CASSANDRA_HOME=${CASSANDRA_HOME:-$(cd "$(dirname "$0")/.." && pwd)}
CASSANDRA_CONF=${CASSANDRA_CONF:-$CASSANDRA_HOME/conf}
CLASSPATH=$CASSANDRA_CONF
for jar in "$CASSANDRA_HOME"/lib/*.jar
do
    CLASSPATH=$CLASSPATH:$jar
done
CLASSPATH=$CLASSPATH:$EXTRA_CLASSPATH
JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java
JAVA_AGENT=-javaagent:$CASSANDRA_HOME/lib/jamm-0.4.0.jar
JVM_OPTS="$JVM_OPTS $(sed -n 's/^-/-/p' "$CASSANDRA_CONF/jvm${variant}.options" "$CASSANDRA_CONF/jvm17${variant}.options" |
    tr '\n' ' ')"
