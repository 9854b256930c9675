// Sort, search, filter and page the tables; single out a line of a chart; compare with an earlier date.
(() => {
  "use strict";
  const SEARCHED = 9, PAGED = 60, PAGE = 50;
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
    const state = { query: "", filters: {}, column: null, down: false, page: 0, ...kept(key) };
    const wrapper = table.parentElement;
    const name = wrapper.getAttribute("aria-label");
    const tools = make("div", { className: "tools" });
    const status = make("span", { className: "note", role: "status" });
    const isPaged = rows.length > PAGED;
    let found = rows;

    const show = () => {
      // Page -1 shows all rows.
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const isPart = isPaged && state.page >= 0;
      const from = isPart ? state.page * PAGE : 0;
      const to = isPart ? Math.min(from + PAGE, found.length) : found.length;
      found.forEach((row, at) => row.classList.toggle("off", at < from || at >= to));
      const isFiltered = found.length < rows.length;
      status.textContent = isPart && found.length
        ? `${from + 1}–${to} of ${found.length}${isFiltered ? ` (${rows.length} in all)` : ""}`
        : isFiltered ? `${found.length} of ${rows.length}` : "";
      for (const button of tools.querySelectorAll("button")) {
        const next = state.page + Number(button.value);
        if (button.value === "all") button.textContent = isPart ? "all" : "pages";
        else button.disabled = !isPart || next < 0 || next >= pages;
      }
      keep(key, state);
    };
    const search = () => {
      const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
      found = [];
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        const fits = words.every((word) => text.includes(word))
          && Object.entries(state.filters).every(([column, value]) => !value || textOf(row, column) === value);
        row.hidden = !fits;
        if (fits) found.push(row);
      }
      show();
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
    if (rows.length >= SEARCHED) {
      const input = make("input", { type: "search", value: state.query });
      input.addEventListener("input", () => {
        state.query = input.value;
        state.page = Math.min(state.page, 0);
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
          state.page = Math.min(state.page, 0);
          search();
        });
        tools.append(make("label", {}, `${head.textContent} `, select));
      });
    }
    if (isPaged) {
      for (const [value, text] of [["-1", "previous"], ["1", "next"], ["all", "all"]]) {
        const button = make("button", { type: "button", value }, text);
        button.setAttribute("aria-label", `${text}: ${name}`);
        button.addEventListener("click", () => {
          state.page = value === "all" ? (state.page < 0 ? 0 : -1) : state.page + Number(value);
          show();
          wrapper.scrollTop = 0;
        });
        tools.append(button);
      }
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
