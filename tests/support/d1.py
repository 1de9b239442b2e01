"""Deal D1 of reports.md and the arrangements of it that the reports speak of."""

from solver.game.arrangement import Arrangement
from solver.game.deal import Deal

REMOVED = "7s 7h 8d 9c Th Qd Ks"
D1 = Deal.from_removed(REMOVED)

ROWS = {
    "A": "As Ah Ad Ac 8h | Kd Kc Qh Qc 9d | Ts Td 9s 8s 7d | Js Jh Qs Kh 9h | 7c 8c Tc Jd Jc",
    "B": "Js Jh 8s 8c Ac | Qs Qc Ts 9s 7d | Tc Td 9h 8h 7c | Jd Jc Qh Kd 9d | As Ah Ad Kh Kc",
    "S": "Kh Kd Kc 7c 8s | Js Jh Jd 8h 9s | Qs Qh Qc 8c 9h | 9d Ts Td Tc Jc | As Ah Ad Ac 7d",
    "G": "7d 8h 9d Jh Kh | 7c 8c 9h Qh Kd | Td Jd As Ah Ad | 8s 9s Ts Js Qs | Ac Kc Qc Jc Tc",
    "Y": "7d 7c 9h 9d Td | 8h 8c Jh Jd Qh | As Ah Ad Kh Kd | 8s 9s Ts Js Qs | Ac Kc Qc Jc Tc",
    "X": "7d 7c 8h 8c 9s | 9h 9d Ts Td 8s | As Ah Ad Kh Kd | Ac Kc Qc Jc Tc | Js Jh Jd Qs Qh",
}
FALLING = ("As Ah Ad Ac 8h", "Kd Kc Kh 7d 7c", "Qs Qh Qc Js Jh", "Ts Td Tc Jd Jc", "8s 8c 9s 9h 9d")
_ORDERS = {"P": (4, 3, 2, 1, 0), "Q": (1, 2, 0, 3, 4), "R": (2, 3, 0, 1, 4)}
FIXTURES = {name: Arrangement.parse(text) for name, text in ROWS.items()} | {
    name: Arrangement.of_texts(FALLING[index] for index in order) for name, order in _ORDERS.items()
}
