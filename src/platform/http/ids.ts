const largestInt64 = 9_223_372_036_854_775_807n;

/** Ids are counted up from 1: this one has never existed, and it stands for all of 64 bits that are beyond it. */
export const largestId = Number.MAX_SAFE_INTEGER;

export function isInt64Id(text: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= largestInt64;
}

/** Whether a number is an id of 64 bits that JavaScript cannot tell from its neighbors. */
export function isBeyondIds(value: unknown): boolean {
  return (
    typeof value === 'number' && value > largestId && value <= Number(largestInt64) && Number.isInteger(value)
  );
}

/** Whether JSON may have a number that becomes 2 to the 63rd, as the largest id does, though it is larger. */
export function mayReachPastIds(json: string): boolean {
  return json.includes('922337203685477');
}

/** For `JSON.parse`: only the text of a number shows whether it is the largest id or one more. */
export function keepPastIds(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isPast = value === Number(largestInt64) && /^\d+$/.test(source ?? '') && !isInt64Id(source!);
  return isPast ? 2 * Number(largestInt64) : value;
}
