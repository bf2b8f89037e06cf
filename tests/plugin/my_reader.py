name = "mine"

def recognise(head): return isinstance(head, dict) and "verdict" in head

TOOK = dict(question="item", correct="verdict 'ok'")

def rows(log, ask): return TOOK, tell_rows(log)

def tell_rows(log):
    for i, record in enumerate(log.records()):
        right = record["verdict"] == "ok"
        yield dict(question=record["item"], sample=i, correct=right)
