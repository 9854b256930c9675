// Sort, search and filter the tables; single out a line of a chart; compare with an earlier date.
(() => {
  "use strict";
  const SEARCHED = 9;
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const kept = (key) => {
    try {
      return JSON.parse(sessionStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  };
  const keep = (key, state) => {
    try {
      sessionStorage.setItem(key, JSON.stringify(state));
    } catch {
      // Without storage, a page that reloads starts again.
    }
  };
  const textOf = (row, column) => (row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent ?? "").trim();
  const numberOf = (text) => {
    const number = parseFloat(text.replaceAll(",", "").replace("−", "-").replace(/^[@↑]/, "").replace("↓", "-"));
    return Number.isNaN(number) ? null : number;
  };

  const enhance = (table, index) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const key = `table ${index} of ${location.pathname}`;
    const state = { query: "", filters: {}, column: null, down: false, ...kept(key) };
    const wrapper = table.parentElement;
    const name = wrapper.getAttribute("aria-label");
    const tools = make("div", { className: "tools" });
    const status = make("span", { className: "note", role: "status" });
    const search = () => {
      const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !(words.every((word) => text.includes(word))
          && Object.entries(state.filters).every(([column, value]) => !value || textOf(row, column) === value));
        found += !row.hidden;
      }
      status.textContent = found < rows.length ? `${found} of ${rows.length}` : "";
      keep(key, state);
    };
    const sort = () => {
      heads.forEach((head, column) => {
        if (head.querySelector("button")) head.ariaSort = column === state.column ? (state.down ? "descending" : "ascending") : "none";
      });
      const column = state.column;
      const order = [...rows];
      if (column !== null && heads[column]) {
        const isNumber = heads[column].classList.contains("n");
        const keys = new Map(rows.map((row) => [row, isNumber ? numberOf(textOf(row, column)) : textOf(row, column) || null]));
        const sign = state.down ? -1 : 1;
        order.sort((one, other) => {
          const a = keys.get(one), b = keys.get(other);
          // What is not known comes last, whatever the direction.
          if (a === null || b === null) return (a === null) - (b === null);
          return sign * (isNumber ? a - b : a.localeCompare(b, "en", { numeric: true }));
        });
      }
      body.append(...order);
      search();
    };

    heads.forEach((head, column) => {
      if (!head.textContent.trim() || head.hasAttribute("data-unsorted")) return;
      const button = make("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const isNumber = head.classList.contains("n") && !head.hasAttribute("data-small");
        state.down = state.column === column ? !state.down : isNumber;
        state.column = column;
        sort();
      });
      head.append(button);
    });
    if (rows.length >= SEARCHED && wrapper.classList.contains("tall")) {
      const input = make("input", { type: "search", value: state.query });
      input.addEventListener("input", () => {
        state.query = input.value;
        search();
      });
      tools.append(make("label", {}, "Search ", input));
      heads.forEach((head, column) => {
        if (!head.hasAttribute("data-filter")) return;
        const values = [...new Set(rows.map((row) => textOf(row, column)))].sort();
        if (values.length < 2 || values.length > 40) return;
        const select = make("select", {}, make("option", { value: "" }, "all"), ...values.map((value) => make("option", { value }, value)));
        select.value = values.includes(state.filters[column]) ? state.filters[column] : "";
        select.addEventListener("change", () => {
          state.filters[column] = select.value;
            search();
        });
        tools.append(make("label", {}, `${head.textContent} `, select));
      });
    }
    tools.append(status);
    if (tools.children.length > 1) wrapper.before(tools);
    sort();
  };

  // Single out a line of a chart: while the pointer is on it or its name, or for good by a click.
  const single = (figure) => {
    const groups = [...figure.querySelectorAll("g[data-line]")];
    const items = [...figure.querySelectorAll(".legend li")];
    let kept = null;
    const mark = (line) => {
      figure.classList.toggle("single", line !== null);
      for (const each of [...groups, ...items]) each.classList.toggle("on", each.dataset.line === line);
    };
    const choose = (line) => {
      kept = kept === line ? null : line;
      mark(kept);
      for (const item of items) item.firstChild.setAttribute("aria-pressed", item.dataset.line === kept);
    };
    for (const item of items) {
      const button = make("button", { type: "button" }, ...item.childNodes);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("focus", () => mark(item.dataset.line));
      button.addEventListener("blur", () => mark(kept));
      item.append(button);
    }
    for (const each of [...groups, ...items]) {
      each.addEventListener("mouseenter", () => mark(each.dataset.line));
      each.addEventListener("mouseleave", () => mark(kept));
      each.addEventListener("click", () => choose(each.dataset.line));
    }
  };

  // The rank and the rating before an event, and how far a bot has moved since.
  const compare = (select) => {
    const table = document.getElementById(select.dataset.table);
    const arrow = (change, text) => (change > 0 ? `↑${text}` : change < 0 ? `↓${text}` : "0");
    const show = () => {
      for (const cell of table.querySelectorAll("td[data-was]")) {
        const was = cell.dataset.was.split(" ")[select.selectedIndex];
        const change = was === "-" ? null : Number(cell.dataset.sign) * (Number(cell.dataset.now) - Number(was));
        cell.textContent = change === null ? "new" : arrow(change, Math.abs(change).toFixed(Number(cell.dataset.digits)));
      }
    };
    select.disabled = false;
    select.addEventListener("change", show);
  };

  document.querySelectorAll("table.data").forEach(enhance);
  document.querySelectorAll("figure.lines").forEach(single);
  document.querySelectorAll("select[data-table]").forEach(compare);
})();
