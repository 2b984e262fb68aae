// Reordering a list with as few moves as possible.

/**
 * stationary returns which rows can stay in place while the others move around them. origin[i] is
 * the old index of the row that is now at i, or -1 for a new row. The rows that stay form a longest
 * increasing subsequence of the old indexes. If pin is the new index of an old row, the subsequence
 * contains that row, so the row with the focus never moves.
 */
export function stationary(origin: readonly number[], pin = -1): boolean[] {
  const stays = new Array<boolean>(origin.length).fill(false);
  const pinned = origin[pin] ?? -1;
  const tails: number[] = []; // tails[k]: new index where the run of length k+1 with the lowest end ends
  const before = new Array<number>(origin.length).fill(-1);

  for (let i = 0; i < origin.length; i++) {
    const old = origin[i] as number;
    if (old < 0) continue;
    if (pinned >= 0 && i !== pin && (i < pin) !== (old < pinned)) continue; // would cross the pinned row
    let lo = 0;
    let hi = tails.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if ((origin[tails[mid] as number] as number) < old) lo = mid + 1;
      else hi = mid;
    }
    if (lo > 0) before[i] = tails[lo - 1] as number;
    tails[lo] = i;
  }
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i] as number) stays[i] = true;
  return stays;
}
