// How many questions show a lead, by how often it shall be seen.

const measure = ({lead, differ, choice}) => {
  const variance = differ / 1000 - (lead / 1000) ** 2;
  const rows = Object.entries(given.reach).map(([name, reach]) => {
    const least = Math.max(2, Math.ceil(reach ** 2 * variance / (lead / 1000) ** 2));
    return [name, "evaluations find it significant", `${least}`, 0, least];
  });
  const chosen = rows.find(([name]) => name === choice);
  return {
    said: `<b>${many(chosen[4], "question")}</b> show a lead of ${lead / 10} points in ${choice} ` +
      `evaluations, if the two systems differ on ${differ / 10}\u00a0% of the questions. ` +
      "Half the lead takes four times as many.",
    rows,
    axes: [{label: "questions", from: 0, to: rows[rows.length - 1][4]}]};
};
