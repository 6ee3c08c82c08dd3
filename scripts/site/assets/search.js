// Finds headings that hold every word typed. The index is loaded when somebody first searches.
const base = document.currentScript.dataset.base;
const input = document.querySelector('#search');
const found = document.querySelector('#found');
let index;

input.addEventListener('focus', load);
input.addEventListener('input', () => void show());

async function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = words.length === 0 ? [] : await load();
  const hits = entries.filter(([, text, title]) =>
    words.every((word) => `${title} ${text}`.toLowerCase().includes(word)),
  );
  found.replaceChildren(...hits.slice(0, 20).map(item));
}

function load() {
  index ??= fetch(`${base}search.json`).then((answer) => answer.json());
  return index;
}

function item([address, text, title]) {
  const link = document.createElement('a');
  link.href = base + address;
  link.textContent = text;
  const page = document.createElement('small');
  page.textContent = title;
  link.append(page);
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}
