/** Three nodes as one cluster, stock and Sluice mixed, restarted and killed under the load of a real driver. */
package io.sluice.bench.cluster;
