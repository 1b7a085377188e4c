"""Granger tests by statsmodels: reads [{name, x, y, order}] on stdin, writes [{name, f, p}], or times them with --time."""
import io
import json
import sys
import time
from contextlib import redirect_stdout

import numpy as np
from statsmodels.tsa.stattools import grangercausalitytests

cases = json.load(sys.stdin)


def test(case):
    pair = np.column_stack([case["y"], case["x"]]).astype(float)
    with redirect_stdout(io.StringIO()):
        return grangercausalitytests(pair, [case["order"]])[case["order"]][0]["ssr_ftest"]


if "--time" in sys.argv:
    test(cases[0])
    start = time.perf_counter()
    figures = [test(case) for case in cases]
    json.dump({"seconds": time.perf_counter() - start, "ps": [float(p) for _, p, _, _ in figures]}, sys.stdout)
else:
    found = []
    for case in cases:
        f, p, _, _ = test(case)
        found.append({"name": case["name"], "f": float(f), "p": float(p)})
    json.dump(found, sys.stdout)
