// Whole numbers, and numbers as a reader sees them. Nothing here touches the page.

const add = numbers => numbers.reduce((sum, o) => sum + o, 0);

// Ways to choose k of n: whole numbers below 2^53, exact.
const choose = (n, k) => {
  let ways = k < 0 || k > n ? 0 : 1;
  for (let i = 1; i <= k && ways; i++) ways = ways * (n - k + i) / i;
  return ways;
};

// 1,000 and 12.3 %, with a space that does not break; 1 row and 2 rows.
const commas = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const percent = v => (100 * v).toFixed(1) + "\u00a0%";
const many = (n, what) => `${commas(n)} ${what}${n === 1 ? "" : "s"}`;
