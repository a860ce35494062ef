const largestInt64 = 9_223_372_036_854_775_807n;

/**
 * Largest ID that JavaScript represents exactly. IDs count up from 1, so no resource has this ID, and it can replace
 * all larger 64-bit IDs.
 */
export const largestId = Number.MAX_SAFE_INTEGER;

export function isInt64Id(text: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= largestInt64;
}

/** True if a number is a 64-bit ID that JavaScript can't distinguish from adjacent ones. */
export function exceedsSafeIdRange(value: unknown): boolean {
  return (
    typeof value === 'number' && value > largestId && value <= Number(largestInt64) && Number.isInteger(value)
  );
}

/**
 * True if JSON text can contain a number that is larger than the largest 64-bit ID but, like that ID, is
 * rounded to 2^63.
 */
export function mayExceedIdRange(json: string): boolean {
  return json.includes('922337203685477');
}

/**
 * Reviver for `JSON.parse` that keeps numbers above the 64-bit range invalid. Only their source text
 * distinguishes them from the largest ID.
 */
export function keepOutOfRangeIds(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isPast = value === Number(largestInt64) && /^\d+$/.test(source ?? '') && !isInt64Id(source!);
  return isPast ? 2 * Number(largestInt64) : value;
}
