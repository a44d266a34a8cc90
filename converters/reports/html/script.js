"use strict";
// Everything stands in the page already: this finds, sorts, opens and copies. Text of the page is
// only ever read from and written to text nodes and attributes.
(() => {
  const get = (id) => document.getElementById(id);
  const all = (css, under = document) => [...under.querySelectorAll(css)];
  const number = new Intl.NumberFormat("en");
  const find = get("find"), search = get("q"), selects = all("#facets select[data-key]");
  const sort = get("sort"), order = (el) => el.dataset.f.split(".").map(Number);
  const places = Object.fromEntries(selects.map((select, n) => [select.dataset.key, n]));

  // Read once, when somebody first filters: rules, the tables that hold them, questions.
  let known = null;
  const page = () => known ??= {
    rules: all("details.r").map((el, n) => ({
      el, n, codes: order(el), asked: (el.dataset.q || "").split(" ").filter(Boolean),
    })),
    tables: all("section.table").map((el) => ({ el, told: el.querySelector(".n") })),
    questions: all(".q").map((el) => ({ el, n: el.dataset.n })),
    topics: all(".topic"),
  };
  const text = (item) => item.text ??= item.el.textContent.toLowerCase();

  // The hash: `became=gap&owner=sales&q=late`, and `at=r-…` for what is looked at.
  const state = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const stated = () => {
    const params = new URLSearchParams();
    if (search.value.trim()) params.set("q", search.value.trim());
    for (const select of selects) if (select.value) params.set(select.dataset.key, select.value);
    if (sort.value) params.set("sort", sort.value);
    return params;
  };
  const remember = (at) => {
    const params = stated();
    if (at) params.set("at", at);
    const hash = at && params.size === 1 ? at : params.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };
  const recall = () => {
    const params = state();
    search.value = params.get("q") || "";
    for (const select of [...selects, sort]) {
      select.value = params.get(select.dataset.key || "sort") || "";
      if (select.selectedIndex < 0) select.value = "";
    }
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = selects.map((select) => select.selectedIndex - 1);
    const chosen = wanted.flatMap((index, n) => index < 0 ? [] : [n]);
    const busy = chosen.length > 0 || words.length > 0;
    if (!busy && !known) return tell(null);
    const { rules, tables, questions, topics } = page();
    const has = (item) => words.every((word) => text(item).includes(word));
    const counts = selects.map((select) => new Array(select.options.length).fill(0));
    const asked = new Set(), left = new Map();
    let shown = 0;
    for (const rule of rules) {
      const found = !words.length || has(rule);
      const missed = found ? chosen.filter((n) => rule.codes[n] !== wanted[n]) : [];
      const visible = found && !missed.length;
      if (rule.el.hidden === visible) rule.el.hidden = !visible;
      if (visible) {
        shown += 1;
        const table = rule.el.parentNode;
        left.set(table, (left.get(table) || 0) + 1);
        for (const n of rule.asked) asked.add(n);
      }
      // What a filter would show, were it set otherwise and all others left.
      if (visible) rule.codes.forEach((code, n) => { counts[n][code + 1] += 1; });
      else if (found && missed.length === 1) counts[missed[0]][rule.codes[missed[0]] + 1] += 1;
    }
    for (const { el, told } of tables) {
      const here = left.get(el) || 0, of = Number(told.dataset.rules);
      el.hidden = !here;
      told.textContent = (here < of ? number.format(here) + " of " : "") + number.format(of) + (of === 1 ? " rule" : " rules");
    }
    let open = 0;
    for (const question of questions) {
      const visible = !busy || asked.has(question.n) || (!chosen.length && has(question));
      question.el.hidden = !visible;
      open += visible;
    }
    for (const topic of topics) topic.hidden = !topic.querySelector(".q:not([hidden])");
    selects.forEach((select, n) => {
      [...select.options].forEach((option, code) => {
        if (code) option.textContent = option.dataset.label + " (" + number.format(counts[n][code]) + ")";
      });
    });
    tell(busy ? { shown, rules: rules.length, open, questions: questions.length } : null);
  };

  const tell = (found) => {
    const used = selects.filter((select) => select.value).length;
    for (const select of selects) select.classList.toggle("on", select.value !== "");
    get("used").textContent = used ? String(used) : "";
    get("clear").hidden = !found;
    get("none").hidden = !found || found.shown > 0;
    get("count").textContent = found
      ? number.format(found.shown) + " of " + number.format(found.rules) + " rules, " +
        number.format(found.open) + " of " + number.format(found.questions) + " questions"
      : "";
    get("chosen").textContent = selects.filter((select) => select.value)
      .map((select) => select.selectedOptions[0].dataset.label).join("; ");
  };

  // Within each table; "" is the order of the sources. Facets stand in the order of their weight.
  const gap = get("f-became") ? [...get("f-became").options].findIndex((o) => o.value === "gap") - 1 : -1;
  const weights = {
    became: (rule) => rule.codes[places.became] === gap ? -1 : rule.codes[places.became],
    action: (rule) => ["fail", "drop", "warn"].indexOf(value("action", rule)) + 1 || 9,
    grade: (rule) => ["differs", "assumed", "exact"].indexOf(value("grade", rule)) + 1 || 9,
    off: (rule) => rule.codes[places.off],
  };
  const value = (key, rule) => selects[places[key]].options[rule.codes[places[key]] + 1].value;
  const collator = new Intl.Collator("en", { numeric: true });
  let sorted = "";
  const arrange = () => {
    if (sort.value === sorted) return;
    sorted = sort.value;
    const { rules, tables } = page();
    const title = (rule) => rule.title ??= rule.el.querySelector(".t").textContent;
    const weight = weights[sorted] || (() => 0);
    const keyed = rules.map((rule) => [weight(rule), rule]);
    keyed.sort(sorted === "title"
      ? ([, a], [, b]) => collator.compare(title(a), title(b)) || a.n - b.n
      : ([a, left], [b, right]) => a - b || left.n - right.n);
    const held = new Map(tables.map(({ el }) => [el, document.createDocumentFragment()]));
    for (const [, rule] of keyed) {
      const table = rule.table ??= rule.el.parentNode;
      held.get(table).append(rule.el);
    }
    for (const [table, fragment] of held) table.append(fragment);
  };

  const apply = () => { arrange(); filter(); };
  const change = () => { remember(); apply(); };
  const wait = (run, ms) => {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(run, ms); };
  };

  // A part of the page that a link names: shown, opened with all that folds around it.
  const show = (id) => {
    const target = id && get(id);
    if (!target) return;
    if (target.hidden || target.closest("[hidden]")) {
      search.value = "";
      for (const select of selects) select.value = "";
      apply();
      say("All rules are shown again, for this one was filtered away.");
    }
    for (let el = target; el; el = el.parentElement) if (el.localName === "details") el.open = true;
    target.scrollIntoView();
    const focus = target.querySelector(":scope > summary") || target;
    if (focus === target && !target.hasAttribute("tabindex")) target.tabIndex = -1;
    focus.focus({ preventScroll: true });
  };
  const say = (words) => {
    get("said").textContent = "";
    setTimeout(() => { get("said").textContent = words; }, 50);
  };

  // A few hundred in one go, so that the page never stands still.
  const each = (items, run) => {
    const some = items.splice(0, 300);
    some.forEach(run);
    if (items.length) requestAnimationFrame(() => each(items, run));
  };
  const fold = (open) => each(
    all("details.r, .topic").filter((el) => !el.hidden && el.open !== open),
    (el) => { el.open = open; },
  );

  const copy = async (button) => {
    const code = button.previousElementSibling;
    const words = code.textContent;
    try {
      await navigator.clipboard.writeText(words);
      button.textContent = "Copied";
      say("The condition is copied.");
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
      say(button.textContent);
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  };
  const buttons = (rule) => {
    for (const code of all("code.copy", rule)) {
      if (code.nextElementSibling?.classList.contains("copied")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copied";
      button.textContent = "Copy";
      code.after(button);
    }
  };

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement, theme = get("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.title = "Show the page " + (isDark() ? "light" : "dark"); };
  const store = (value) => {
    try { return value ? localStorage.setItem("theme", value) : localStorage.getItem("theme"); } catch { return null; }
  };

  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("details.r")) buttons(event.target);
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("button.copied")) return void copy(event.target);
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const href = link.getAttribute("href").slice(1);
    if (link.dataset.key) {
      event.preventDefault();
      history.pushState(null, "", link.getAttribute("href"));
      recall();
      apply();
      get("rules").scrollIntoView();
    } else if (/^[rq]-/.test(href)) {
      event.preventDefault();
      history.pushState(null, "", location.href);
      show(href);
      remember(href);
    }
  });
  search.addEventListener("input", wait(change, 150));
  find.addEventListener("change", (event) => { if (event.target !== search) change(); });
  get("clear").addEventListener("click", () => {
    search.value = "";
    for (const select of selects) select.value = "";
    change();
    search.focus();
  });
  get("more").addEventListener("click", () => {
    const open = get("facets").hidden;
    get("facets").hidden = !open;
    get("more").setAttribute("aria-expanded", String(open));
  });
  get("open").addEventListener("click", () => fold(true));
  get("close").addEventListener("click", () => fold(false));
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    store(root.dataset.theme);
    name();
  });
  dark.addEventListener("change", name);
  const arrive = () => {
    recall();
    apply();
    const params = state();
    show(params.get("at") || (/^#[rq]-/.test(location.hash) ? location.hash.slice(1) : ""));
  };
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  // A browser that can't print what is folded by style alone: what is shown is opened meanwhile.
  if (!CSS.supports("selector(::details-content)")) {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = all("details.r, .topic").filter((el) => !el.hidden && !el.open).slice(0, 2000);
      for (const el of opened) el.open = true;
    });
    addEventListener("afterprint", () => { for (const el of opened.splice(0)) el.open = false; });
  }

  // Lines of the overview lead to their rules.
  for (const cell of all("th[data-key]")) {
    const link = document.createElement("a");
    link.href = "#" + new URLSearchParams([[cell.dataset.key, cell.dataset.value]]);
    link.dataset.key = cell.dataset.key;
    const label = cell.querySelector("bdi");
    if (label) { label.replaceWith(link); link.append(label); }
    else { link.append(cell.lastChild); cell.append(link); }
  }
  const kept = store();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  name();
  theme.hidden = find.hidden = false;
  arrive();
  performance.mark("ready");
})();
