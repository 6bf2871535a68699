"use strict";
// Tables sort by their headings: a press turns the order, and `#sort=TABLE:COLUMN:descending` asks for one from outside.
(() => {
  const order = (cell) => ("order" in cell.dataset ? (cell.dataset.order === "" ? NaN : Number(cell.dataset.order)) : cell.textContent);
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a < b ? -1 : a > b ? 1 : 0);

  const sort = (table, column, direction) => {
    const sign = direction === "descending" ? -1 : 1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [order(row.cells[column]), row]);
    const missing = (value) => Number(Number.isNaN(value));
    rows.sort(([a], [b]) => missing(a) - missing(b) || sign * compare(a, b));
    body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    });
  };

  const toggle = (table, column) => {
    const head = table.tHead.rows[0].cells[column];
    sort(table, column, head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
  };

  document.querySelectorAll("table.sorts").forEach((table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => toggle(table, column));
      head.append(button);
    });
  });

  const follow = () => {
    const [, id, column, direction] = /^#sort=([^:]+):(\d+):(ascending|descending)$/.exec(location.hash) ?? [];
    const table = id && document.getElementById(id);
    if (!table?.tHead?.rows[0].cells[column]) return;
    sort(table, Number(column), direction);
    table.closest("details")?.setAttribute("open", "");
    table.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
