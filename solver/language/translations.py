"""The program's own words in two languages: headings and result lines, keyed by their English text."""

LANGUAGES = ("en", "ru")

_RUSSIAN = {
    # Headings of columns.
    "No.": "№",
    "Value": "Значение",
    "Category": "Разряд",
    "Place": "Место",
    "Pts": "Очки",
    "Packet": "Пакет",
    "Hand": "Комбинация",
    "Win": "Победа",
    "Tie": "Ничья",
    "Lose": "Проигрыш",
    "Winner": "Победитель",
    "Strength": "Сила",
    "First": "Первый",
    "Second": "Второй",
    "Chance": "Шансы",
    "Claim": "Утверждение",
    "Holds": "Верно",
    "Detail": "Подробности",
    # Short words.
    "tie": "ничья",
    "yes": "да",
    "NO": "НЕТ",
    "open": "не решено",
    "{count} claims": "утверждений: {count}",
    "points": "очки",
    "margin": "разность очков",
    "win": "победа в матче",
    "Arrangement": "Раскладка",
    "Best": "Лучшая",
    "Best answer": "Лучший ответ",
    # Fitted players.
    "Component": "Составляющая",
    "Share": "Доля",
    "Spread": "Разброс",
    "rough": "грубо",
    "fair": "средне",
    "good": "хорошо",
    "Splits greedily in {greedy} of {deals} deals; strongest packet most often in place {place}, in {count}": (
        "Раздач: {deals}; жадно разложено: {greedy}; сильнейший пакет чаще всего на месте {place}, раз: {count}"
    ),
    "How sure this is: {sure}": "Надёжность: {sure}",
    "Deals that no model explains: {outside}; left out, as the player was helped: {assisted}": (
        "Раздач, которых не объясняет ни одна модель: {outside}; пропущено раздач с подсказками: {assisted}"
    ),
    "Log likelihood of a deal {fitted}; of the best single model, {name}, {single}": (
        "Логарифм правдоподобия раздачи {fitted}; у лучшей отдельной модели, {name}, {single}"
    ),
    "So many deals justify to risk {share} of what a best response risks": (
        "Столько раздач оправдывают {share} риска лучшего ответа"
    ),
    # Best responses and grades.
    "Best arrangement against {opponent}, by {objective}": "Лучшая раскладка против {opponent}; цель: {objective}",
    "Greedy arrangement; the opponent {opponent} was not ready in time": (
        "Жадная раскладка: модель соперника {opponent} не построена к сроку"
    ),
    "Expected points {points}, opponent {opponent_points}, margin {margin}": (
        "Ожидаемые очки {points}, у соперника {opponent_points}, разность {margin}"
    ),
    "Match won {win}, drawn {draw}, lost {loss}": "Матч: победа {win}, ничья {draw}, поражение {loss}",
    "Match won {win}, drawn {draw}, lost {loss} (estimated from {samples} arrangements of the opponent)": (
        "Матч: победа {win}, ничья {draw}, поражение {loss} (оценка по выборке; раскладок соперника в ней: {samples})"
    ),
    "Proven optimal: no arrangement has more than {bound}": "Доказано: ни одна раскладка не даёт больше {bound}",
    "Proven optimal against the {samples} arrangements drawn: no arrangement has more than {bound}": (
        "Доказано для выборки (раскладок соперника в ней: {samples}): ни одна раскладка не даёт больше {bound}"
    ),
    "Not proven: the best possible is at most {bound}": "Не доказано; лучшее возможное не больше {bound}",
    "Your arrangement against {opponent}, by {objective}": "Ваша раскладка против {opponent}; цель: {objective}",
    "Your arrangement; the opponent {opponent} was not ready in time": (
        "Ваша раскладка; модель соперника {opponent} не построена к сроку"
    ),
    "Regret 0: no arrangement is worth more than yours": "Потеря 0: ни одна раскладка не даёт больше вашей",
    "Against the {samples} arrangements drawn: regret 0: no arrangement is worth more than yours": (
        "По выборке (раскладок соперника в ней: {samples}) потеря 0: ни одна раскладка не даёт больше вашей"
    ),
    "Against the {samples} arrangements drawn: on average yours is worth {mine}, the best {best}: regret {regret}": (
        "По выборке (раскладок соперника в ней: {samples}) ваша раскладка даёт {mine}, лучшая {best}: потеря {regret}"
    ),
    "On average yours is worth {mine}, the best {best}: regret {regret}": (
        "В среднем ваша раскладка даёт {mine}, лучшая {best}: потеря {regret}"
    ),
    "Best exchange: the packets of places {first} and {second}, gains {gain}": (
        "Лучший обмен: пакеты мест {first} и {second}, выгода {gain}"
    ),
    "Best exchange: {mine} of place {first} for {other} of place {second}, gains {gain}": (
        "Лучший обмен: {mine} с места {first} на {other} с места {second}, выгода {gain}"
    ),
    "No exchange of two cards or of two packets gains anything": (
        "Ни обмен двух карт, ни обмен двух пакетов ничего не даёт"
    ),
    "Whoever knew your arrangement would beat it {points}-{opponent_points}": (
        "Зная вашу раскладку, соперник победил бы {points}:{opponent_points}"
    ),
    "Not even somebody who knew your arrangement would beat it": (
        "Даже зная вашу раскладку, соперник не смог бы её победить"
    ),
    # Pages.
    "Place {place}, worth {weight}": "Место {place}, цена {weight}",
    "Match won": "Матч: победа",
    "Drawn": "Ничья",
    "Lost": "Поражение",
    "Estimated from {samples} arrangements of the opponent": "Оценка по выборке; раскладок соперника в ней: {samples}",
    "The best arrangement": "Лучшая раскладка",
    "Alternatives": "Другие хорошие раскладки",
    "Hands by place": "Комбинации по местам",
    "The mix": "Смесь",
    "Show all {count}": "Показать все: {count}",
    "The game": "Игра",
    "Deal": "Сдача",
    "Laid aside": "Отложены",
    "Rules": "Правила",
    "{rules}; places worth {weights}": "{rules}; места по {weights}",
    "A-7-8-9-T is a straight": "Т-7-8-9-10 считается стритом",
    # The referee.
    "First {first}, second {second}, tied places {tied}": "Первый {first}, второй {second}, на ничейных местах {tied}",
    "The match is drawn": "Матч закончился вничью",
    "The first player wins the match": "Матч выиграл первый игрок",
    "The second player wins the match": "Матч выиграл второй игрок",
    # A session at the terminal.
    "You": "Вы",
    "Opponent": "Соперник",
    "Session against {opponent}; regret by {objective}; seed {seed}": (
        "Серия против {opponent}; цель: {objective}; зерно {seed}"
    ),
    "Lay five packets of five, place 1 first: all on one line with | between them,": (
        "Разложите пять пакетов по пять карт с места 1 по 5: все одной строкой через |"
    ),
    "or one packet a line; then an empty line lays the last five cards.": (
        "или по пакету в строке; пустая строка выкладывает последние пять карт."
    ),
    "undo takes the last packet back, quit ends the session, help shows this again.": (
        "назад: взять последний пакет обратно; выход: закончить серию; помощь: эта подсказка."
    ),
    "Deal {number}; laid aside {removed}": "Сдача {number}; отложены {removed}",
    "Deal {number} of {deals}; laid aside {removed}": "Сдача {number} из {deals}; отложены {removed}",
    "Place {place}": "Место {place}",
    "Place {place}, an empty line lays these five": "Место {place}, пустая строка выкладывает эти пять",
    "You win the match {points}-{opponent_points}": "Вы выиграли матч {points}:{opponent_points}",
    "You lose the match {points}-{opponent_points}": "Вы проиграли матч {points}:{opponent_points}",
    "The match is drawn {points}-{opponent_points}": "Матч закончился вничью {points}:{opponent_points}",
    "So far won {won}, drawn {drawn}, lost {lost}; points {points}-{opponent_points}; mean regret {regret}": (
        "Пока побед {won}, ничьих {drawn}, поражений {lost}; очки {points}:{opponent_points}; средняя потеря {regret}"
    ),
    # Equilibria.
    "Equilibrium by {objective}": "Равновесие; цель: {objective}",
    "A mix to play, by {objective}": "Смесь для игры; цель: {objective}",
    "Throw": "Бросок",
    "Gain": "Выигрыш",
    "At most lost": "Риск",
    "Arrangements": "Раскладок",
    "Status": "Состояние",
    "{first} to {last}": "от {first} до {last}",
    "Nobody takes more than {figure} from it.": "Никто не выигрывает против неё больше, чем {figure}.",
    "Against {spec} it earns {figure}; no mix within the limits earns more than {bound}.": (
        "Против {spec} она приносит {figure}; никакая смесь в этих пределах не приносит больше, чем {bound}."
    ),
    "Status: {status}.": "Состояние: {status}.",
    "infeasible": "такой смеси нет (доказано)",
    "none found": "такой смеси не найдено",
    "To play, drawn from the mix with seed {seed}; chances against the mix": (
        "Для игры, выбрана из смеси с зерном {seed}; шансы против самой смеси"
    ),
    "{count} more; --json lists them all": "и ещё {count}; все перечисляет --json",
    "Exploitability {gain}, proven: no arrangement gains more against the mix": (
        "Уязвимость {gain}, доказано: ни одна раскладка не выигрывает у смеси больше"
    ),
    "{gain} points": "{gain} очка",
    "{gain} of a match": "{gain} матча",
    "Status {status}; rounds {iterations}, undominated partitions {partitions}, support {support}": (
        "Статус: {status}; раундов {iterations}, недоминируемых разбиений {partitions}, раскладок в смеси {support}"
    ),
    "converged": "сошлось",
    "iteration limit": "предел числа раундов",
    "stalled": "предел точности вычислений",
    "time limit": "предел времени",
    "interrupted": "прервано",
    # Verification.
    "Every claim holds": "Все утверждения верны",
    "Not every claim holds": "Не все утверждения верны",
    # Summaries of batches.
    "Records": "Записи",
    "Count": "Число",
    "done": "решено",
    "failed": "с ошибкой",
    "optimal": "оптимум доказан",
    "feasible": "оптимум не доказан",
    "Figure": "Показатель",
    "Median": "Медиана",
    "Worst": "Худшее",
    "objective_value": "значение цели",
    "exploitability": "уязвимость",
    "iterations": "раунды",
    "seconds": "секунды",
}


def phrase(text: str, language: str = "en", **values: object) -> str:
    """Return a phrase in the language, its `{name}` fields filled in; English where there is no translation."""
    chosen = _RUSSIAN.get(text, text) if language == "ru" else text
    return chosen.format(**values) if values else chosen
