"""
Drain3 over a log: lines per second from opening the file to a cluster id per line. Its own defaults, no masks. It is given the
lines as they stand in the file, as our miner is; with a third argument `message`, the part behind the header, found for it.
"""
import json
import sys
import time
from drain3 import TemplateMiner
from drain3.template_miner_config import TemplateMinerConfig

path, limit, message = sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["message"]
config = TemplateMinerConfig()
config.profiling_enabled = False
miner = TemplateMiner(config=config)
start = time.perf_counter()
cpu = time.process_time()
lines = 0
with open(path, encoding="utf8") as log:
    for line in log:
        if lines == limit:
            break
        text = line.rstrip("\n")
        miner.add_log_message(text[text.index(": ") + 2 :] if message else text)
        lines += 1
seconds = time.perf_counter() - start
print(json.dumps({"lines": lines, "seconds": seconds, "cpu": time.process_time() - cpu, "clusters": len(miner.drain.clusters)}))
