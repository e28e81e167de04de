"""The functions of Functions.java, searched by Optuna: python functions.py SEEDS TRIALS prints one JSON object."""
import json
import math
import random
import statistics
import sys
import time

import optuna

A = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
P = [[.1312, .1696, .5569, .0124, .8283, .5886], [.2329, .4135, .8307, .3736, .1004, .9991],
     [.2348, .1451, .3522, .2883, .3047, .6650], [.4047, .8828, .8732, .5743, .1091, .0381]]
ALPHA = [1, 1.2, 3, 3.2]


def shift(seed, i):
    return (seed * 7919 + i * 104729 + seed * i * 31) % 1000 / 1000


def branin(u, seed):
    x, y = 15 * u[0] - 5, 15 * u[1]
    a = y - 5.1 / (4 * math.pi ** 2) * x * x + 5 / math.pi * x - 6
    return a * a + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def hartmann(x, seed):
    return -sum(ALPHA[i] * math.exp(-sum(A[i][j] * (x[j] - P[i][j]) ** 2 for j in range(6))) for i in range(4))


def ackley(u, seed):
    z = [65.536 * (u[i] - 0.2 * (shift(seed, i) - 0.5) - 0.25 - 0.5 * shift(seed, i + 50)) for i in range(len(u))]
    return (-20 * math.exp(-0.2 * math.sqrt(sum(v * v for v in z) / len(z)))
            - math.exp(sum(math.cos(2 * math.pi * v) for v in z) / len(z)) + 20 + math.e)


def service(p, seed):
    cpu = p["cpu"]
    threads = math.log2(p["threads"] / (16 * cpu))
    pool = math.log2(p["pool"] / (6 + 30 * shift(seed, 2)))
    queue = math.log2(p["queue"] / 64)
    collector = {"serial": 0.6, "parallel": 0.25, "g1": 0.0, "zgc": 0.1}[p["collector"]]
    memory = math.log2(p["memory"] / 1024)
    timeout = p["timeout"] - 0.5 - 2 * shift(seed, 3)
    cost = (0.08 * threads ** 2 + 0.1 * pool ** 2 + 0.01 * queue ** 2 + collector * (2 if memory < 0 else 1)
            + 0.05 * memory ** 2 + 0.3 * (cpu - 1.5 - 2 * shift(seed, 1)) ** 2 + 0.04 * timeout ** 2)
    overload = max(0, 3 / max(0.25, cpu) / p["threads"] - 0.5) + max(0, 3 / p["pool"] - 0.5)
    return cost + 20 * overload


def cube(function, n, optimum):
    def suggest(trial):
        return [trial.suggest_float(f"x{i}", 0, 1) for i in range(n)]

    def regret(x, seed):
        return function([x[i] + 0.2 * (shift(seed, i) - 0.5) for i in range(n)], seed) - optimum
    return suggest, regret, {f"x{i}": 0.5 for i in range(n)}


def mixed(trial):
    return {"threads": trial.suggest_int("threads", 1, 256, log=True), "pool": trial.suggest_int("pool", 1, 64, log=True),
            "queue": trial.suggest_int("queue", 1, 1024, log=True),
            "collector": trial.suggest_categorical("collector", ["serial", "parallel", "g1", "zgc"]),
            "cpu": trial.suggest_float("cpu", 0.25, 4),
            # An ordered word is a number on a logarithmic scale to Optuna: powers of two.
            "memory": 2 ** trial.suggest_int("memory", 8, 12), "timeout": trial.suggest_float("timeout", 0.05, 5)}


FUNCTIONS = {
    "Branin": (*cube(branin, 2, 0.397887), 1.0),
    "Hartmann-6": (*cube(hartmann, 6, -3.32237), 0.1),
    "Ackley-10": (*cube(ackley, 10, 0), 0.3),
    "service model": (mixed, service, {"threads": 4, "pool": 2, "queue": 1024, "collector": "serial", "cpu": 0.5,
                                       "memory": 8, "timeout": 5}, 0.02),
}


def main(seeds, trials):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    answer = {"version": optuna.__version__}
    for name, (suggest, regret, start, noise) in FUNCTIONS.items():
        finals, cpu = [], []
        for seed in range(1, seeds + 1):
            rng = random.Random(seed)
            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
            study.enqueue_trial(start)
            truths, spent = [], 0.0
            for _ in range(trials):
                begun = time.process_time()
                trial = study.ask()
                x = suggest(trial)
                spent += time.process_time() - begun
                truth = regret(x, seed)
                truths.append(truth)
                begun = time.process_time()
                study.tell(trial, truth + noise * rng.gauss(0, 1))
                spent += time.process_time() - begun
            finals.append(truths[study.best_trial.number])
            cpu.append(spent)
        answer[name] = {"finals": finals, "median": statistics.median(finals), "cpu": statistics.median(cpu)}
    print(json.dumps(answer))


main(int(sys.argv[1]), int(sys.argv[2]))
