"use strict";
// A click on a heading sorts its table by that column, a second click the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") !== "descending";
      headings.forEach((each) => each.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const worth = (row) => Number(row.cells[column].dataset.sort);
      const rows = [...body.rows].sort((first, second) => worth(first) - worth(second));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
  // Long tables start folded; without this script they are shown whole.
  const more = table.parentElement.querySelector("button.more");
  if (more) {
    body.classList.add("folded");
    more.hidden = false;
    more.addEventListener("click", () => {
      body.classList.remove("folded");
      more.hidden = true;
    });
  }
}
