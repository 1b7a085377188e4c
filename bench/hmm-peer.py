"""hmmlearn on a task from standard input, its answer as JSON on standard output. Run by bench/hmm.bench.ts and scripts/hmm-golden.ts."""
import json
import sys
import time
import warnings
import logging

import numpy as np
from hmmlearn.hmm import CategoricalHMM

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def joined(sequences):
    return np.concatenate(sequences).reshape(-1, 1), [len(each) for each in sequences]


def golden(case):
    symbols = len(case["emission"][0])
    model = CategoricalHMM(n_components=len(case["start"]), n_features=symbols, n_iter=1, tol=-1e300, init_params="", params="ste")
    model.startprob_ = np.array(case["start"])
    model.transmat_ = np.array(case["transition"])
    model.emissionprob_ = np.array(case["emission"])
    data, lengths = joined(case["sequences"])
    before = [float(model.score(np.array(each).reshape(-1, 1))) for each in case["sequences"]]
    model.fit(data, lengths)
    return {
        "logLikelihoods": before,
        "start": model.startprob_.tolist(),
        "transition": model.transmat_.tolist(),
        "emission": model.emissionprob_.tolist(),
        "after": float(model.score(data, lengths)),
    }


def sweep(task):
    data, lengths = joined(task["sequences"])
    fits = []
    for states in task["states"]:
        since = time.perf_counter()
        model = CategoricalHMM(n_components=states, n_features=task["symbols"], n_iter=task["iterations"], tol=task["tolerance"], random_state=task["seed"])
        model.fit(data, lengths)
        seconds = time.perf_counter() - since
        fits.append({"states": states, "seconds": seconds, "iterations": model.monitor_.iter, "logLikelihood": float(model.score(data, lengths))})
    return fits


task = json.load(sys.stdin)
json.dump(sweep(task) if "states" in task else [golden(case) for case in task["cases"]], sys.stdout)
