// The search of the site. Quarto's script makes a `Fuse`, adds the entries of search.json and asks
// it; this stands in the place of fuse.js, which finds letters where people type words.
//
// An entry that has the query as it was typed comes first. Otherwise its words are looked for: each
// as a whole or in another form, where there is none as the beginning of one, and then with a slip.

// Words that say little are left out, where others are asked for.
const SMALL = new Set(("a an and are as at be but by can did do does for from has have how i if " +
  "in into is it its me more my no not of on only or our over so than that the their them there " +
  "they this to too up use was we what when where which who why will with would you your"
).split(" "));
const FIELDS = ["title", "section", "text"];

const plain = text => text.toLowerCase().replace(/[’']/g, "").replace(/\s+/g, " ").trim();
// pass@k and cost_per_solved are words; so are the parts of the second.
const read = text => plain(text).match(/[\p{L}\p{N}_@^]+/gu) ?? [];
const parts = word => word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word];
const ENDINGS = [[/([^s])s$/, "$1"], [/ed$/, "e"], [/(...)(e|ing)$/, "$1"], [/(.)\1$/, "$1"]];
const stem = word => word.length < 4 || word.includes("@") ? word
  : ENDINGS.reduce((bare, [end, kept]) => bare.replace(end, kept), word);
const family = word => word.replace(/([@^])\d+$/, "$1k");  // pass@5 is a pass@k

// Whether one letter was changed, added or left out, and not the first.
const isSlip = (one, other) => {
  if (one.length < other.length) [one, other] = [other, one];
  if (one.length < 6 || one.length > other.length + 1 || one[0] !== other[0]) return false;
  let at = 1;
  while (at < other.length && one[at] === other[at]) at++;
  return one.slice(at + 1) === other.slice(one.length === other.length ? at + 1 : at);
};
const FORM = .9, KIND = .8, BEGUN = .6, SLIP = .55;

class Fuse {
  // One for the page: a slow search makes Quarto's script ask a second one, of the first results.
  constructor() {
    if (Fuse.only) return Fuse.only;
    Fuse.only = this;
    this.entries = [];
    this.words = new Map();  // to the entries that hold it, and in which fields
    this.forms = new Map();  // of a stem
  }

  add(item) {
    if (this.entries.some(o => o.item === item)) return;
    const fields = FIELDS.map(name => plain(item[name] ?? ""));
    const words = fields.map(text => new Set(read(text).flatMap(parts)));
    const entry = {item, fields, words, place: this.entries.length};
    this.entries.push(entry);
    words.forEach((some, field) => {
      for (const word of some) {
        if (!this.words.has(word)) this.learn(word);
        const held = this.words.get(word);
        held.set(entry, [...held.get(entry) ?? [], field]);
      }
    });
  }

  learn(word) {
    this.words.set(word, new Map());
    this.forms.set(stem(word), [...this.forms.get(stem(word)) ?? [], word]);
  }

  // Words that answer one that is asked for, and how well.
  match(asked) {
    const found = new Map((this.forms.get(stem(asked)) ?? []).map(o => [o, FORM]));
    if (this.words.has(family(asked))) found.set(family(asked), KIND);
    if (this.words.has(asked)) found.set(asked, 1);
    const rest = rule => [...this.words.keys()].filter(rule);
    const add = (rule, like) => { if (!found.size) rest(rule).forEach(o => found.set(o, like)); };
    if (asked.length > 2) add(o => o.startsWith(asked), BEGUN);
    add(o => o.length > 5 && asked.startsWith(o), BEGUN);
    add(o => isSlip(asked, o), SLIP);
    return found;
  }

  // A rare word says more than one that stands everywhere, and one that stands nowhere little.
  weigh(word) {
    const held = this.words.get(word)?.size;
    const rare = held ? Math.min(4, Math.log(1 + this.entries.length / held)) : 3;
    return /^\d+$/.test(word) ? .4 * rare : rare;
  }

  // For each entry how well its fields hold each word that was asked for.
  look(asked) {
    const found = new Map();
    asked.forEach((one, i) => {
      for (const [word, like] of this.match(one)) this.words.get(word).forEach((fields, entry) => {
        if (!found.has(entry)) found.set(entry, FIELDS.map(() => asked.map(() => 0)));
        for (const field of fields) {
          const row = found.get(entry)[field];
          row[i] = Math.max(row[i], like);
        }
      });
    });
    return found;
  }

  search(query, {limit = 50} = {}) {
    const all = [...new Set(read(query))];
    const some = all.filter(o => !SMALL.has(o));
    const asked = some.length ? some : all;
    const weights = asked.map(o => this.weigh(o));
    const total = weights.reduce((sum, o) => sum + o, 0);
    const share = row => row.reduce((sum, o, i) => sum + o * weights[i], 0) / total;
    return [...this.look(asked)]
      .map(([entry, rows]) => ({item: entry.item, refIndex: entry.place,
        score: this.score(entry, rows, share, plain(query))}))
      .filter(o => o.score > 0)
      .sort((one, other) => other.score - one.score || one.refIndex - other.refIndex)
      .slice(0, limit);
  }

  // The share of the query that an entry holds, the more the shorter what else it says; 0 for less
  // than half.
  score({fields, words}, rows, share, phrase) {
    const best = some => some[0].map((_, i) => Math.max(...some.map(row => row[i])));
    const held = share(best(rows));
    if (held < .5) return 0;
    const named = share(best(rows.slice(0, 2)));
    const close = [0, 1].map(i => share(rows[i]) ** 2 / Math.sqrt(Math.max(1, words[i].size)));
    const [title, section, text] = fields.map(o =>
      o === phrase ? 1 : ` ${o} `.includes(` ${phrase} `) ? .4 : 0);
    const score = held + named ** 2 + Math.max(...close) + .3 * share(rows[2]) +
      title + 2 * (fields[1] ? section : title) + text;
    return Math.round(20 * score);  // of what is nearly as good, the first in the list is first
  }
}
globalThis.Fuse = Fuse;
