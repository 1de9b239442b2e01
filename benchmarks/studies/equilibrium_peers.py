"""Equilibria beside published solvers of matrix games, on the deals whose games are small enough for them.

The peers cannot find the game: they are given the payoffs of all different undominated arrangements, which this program
found, and neither that nor the making of their own game object is on their clock. What is timed for Quintet is all it
does with a deal. Every mix is checked against the matrix: the value of the game is known, so is what a mix loses.
Each peer works on each game in a process of its own, which is ended at the time limit.
"""

from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter

import numpy as np
import numpy.typing as npt

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.peers.matrix_games import PEERS
from benchmarks.reporting.figures import Figure, Scatter
from benchmarks.reporting.summary import ABSENT, SOLVED, UNSOLVED, Record, grouped
from benchmarks.reporting.tables import Table, seconds_text
from solver.dominance.orders import distinct_orders, order_table
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.solve import solve_equilibrium

TITLE = "Equilibrium beside other solvers"
LESSON = "How far explicit matrix games go: the peers get the reduced game for nothing and still stop at small deals."
OBJECTIVES = ("margin", "win")
SIZES = {"tiny": (1, 0, 1, 60.0), "quick": (4, 0, 1, 10.0), "full": (60, 1, 2, 30.0)}
"""Undominated partitions at most, deals of random-100, objectives, time limit of a peer in seconds."""
OURS = "Quintet"
LARGEST_LOSS = 1e-5
"""What a peer's mix may lose, in points or probability: its LP works in floating point with tolerances of its own."""
START_ALLOWANCE = 30.0


def run(size: str) -> list[Record]:
    """Return one record a deal, objective and solver."""
    most, random_deals, objectives, limit = SIZES[size]
    deals = [deal for deal in instances("extreme-8") if deal.partitions is not None and deal.partitions <= most]
    small = [deal for deal in instances("random-100") if len(undominated_partitions(deal.deal)) <= most]
    records = []
    for deal in deals + small[:random_deals]:
        for objective in OBJECTIVES[:objectives]:
            records.append(_ours(deal, objective))
            strategies = records[-1]["strategies"]
            records += [_peer(name, deal, objective, strategies, limit) for name in PEERS]
    return records


def _ours(deal: Instance, objective: str) -> Record:
    strategies = int(distinct_orders(undominated_partitions(deal.deal, deal.rules).strengths).sum())
    start = perf_counter()
    equilibrium = solve_equilibrium(deal.deal, objective, deal.rules)
    seconds = perf_counter() - start
    if equilibrium.status != "converged":
        raise AssertionError(f"{deal.id}, {objective}: {equilibrium.status}")
    return {
        "group": objective,
        "contestant": OURS,
        "mode": "solve_equilibrium, the undominated partitions included",
        "instance": deal.id,
        "strategies": strategies,
        "status": SOLVED,
        "seconds": seconds,
        "loss": equilibrium.exploitability,
    }


def _peer(name: str, deal: Instance, objective: str, strategies: int, limit: float) -> Record:
    record: Record = {
        "group": objective,
        "contestant": name,
        "instance": deal.id,
        "strategies": strategies,
        "limit": limit,
    }
    receiver, sender = get_context("spawn").Pipe(duplex=False)
    process = get_context("spawn").Process(target=_solve, args=(name, deal, objective, sender))
    process.start()
    sender.close()
    try:
        # First what it is called or that it is absent, then seconds of the preparation, then those of the solution.
        wait = START_ALLOWANCE
        while not {"seconds", "error"} & record.keys() and record.get("status") != ABSENT and receiver.poll(wait):
            record |= receiver.recv()
            wait = limit
    except EOFError:
        record["error"] = "the process died"
    finally:
        process.kill()
        process.join()
    if record.get("status") == ABSENT:
        return record
    if "seconds" not in record:
        return record | {"status": UNSOLVED}
    if not record["loss"] <= LARGEST_LOSS:
        raise AssertionError(f"{name}, {deal.id}, {objective}: its mix loses {record['loss']}")
    return record


def _solve(name: str, deal: Instance, objective: str, sender: Connection) -> None:
    """Solve one game with one peer in this process, and send what it took."""
    try:
        mode, prepare, solve = PEERS[name]()
    except ImportError:
        sender.send({"status": ABSENT})
        return
    payoffs, unit = _payoffs(deal, objective)
    sender.send({"mode": mode})
    try:
        start = perf_counter()
        prepared = prepare(payoffs)
        sender.send({"prepare_seconds": perf_counter() - start})
        start = perf_counter()
        mix = solve(prepared)
        seconds = perf_counter() - start
    except Exception as error:
        sender.send({"error": f"{type(error).__name__}: {error}"})
        return
    sender.send({"status": SOLVED, "seconds": seconds, "loss": float((payoffs @ mix).max()) * unit})


def _payoffs(deal: Instance, objective: str) -> tuple[npt.NDArray[np.float64], float]:
    """Return the matrix of the game between the different undominated arrangements, and the unit of its entries."""
    strengths = undominated_partitions(deal.deal, deal.rules).strengths
    rows = strengths[:, order_table(strengths.shape[1])][distinct_orders(strengths)]
    margins = np.zeros((len(rows), len(rows)))
    for column, weight in zip(rows.T, deal.rules.weights, strict=True):
        margins += weight * np.sign(column[:, None] - column)
    return (np.sign(margins), 0.5) if objective == "win" else (margins, 1.0)


def tables(records: list[Record]) -> list[Table]:
    """Return one table an objective, one line a game, with what each solver took."""
    found = []
    contestants = list(grouped(records, lambda record: record["contestant"]))
    modes = {record["contestant"]: record["mode"] for record in records if "mode" in record}
    for objective, members in grouped(records, lambda record: record["group"]).items():
        rows = []
        games = grouped(members, lambda record: (record["strategies"], record["instance"]))
        for (strategies, instance), game in sorted(games.items(), key=lambda item: item[0]):
            times = {record["contestant"]: cell(record) for record in game}
            rows.append((instance, f"{strategies:,}", *(times[contestant] for contestant in contestants)))
        found.append(Table(f"Equilibrium for {objective}", ("deal", "strategies", *contestants), tuple(rows)))
    calls = tuple((contestant, modes.get(contestant, ABSENT)) for contestant in contestants)
    return [*found, Table("Called as", ("solver", "call"), calls)]


def cell(record: Record) -> str:
    """Return the time of a solver on a game, or what became of it."""
    if record["status"] == SOLVED:
        return seconds_text(record["seconds"])
    if record["status"] == ABSENT:
        return ABSENT
    return "failed" if "error" in record else f"> {record['limit']:g} s"


def figures(records: list[Record]) -> list[Figure]:
    """Return seconds by number of strategies for each objective."""
    found: list[Figure] = []
    for objective, members in grouped(records, lambda record: record["group"]).items():
        solved = grouped(
            (record for record in members if record["status"] == SOLVED), lambda record: record["contestant"]
        )
        points = {name: [(record["strategies"], record["seconds"]) for record in each] for name, each in solved.items()}
        found.append(
            Scatter(
                f"equilibrium-peers-{objective}",
                f"Equilibrium for {objective} on small deals",
                "strategies of the reduced game",
                "seconds",
                points,
                logarithmic_x=True,
                logarithmic_y=True,
            )
        )
    return found
