"""How long a call takes."""
import time


def best_of(repeats, call):
    "What a call returns, and the shortest of its times in seconds."
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        value = call()
        times.append(time.perf_counter() - start)
    return value, min(times)
