/**
 * Describes the limit that a JSON schema keyword sets, as the end of a sentence about a field. Returns `null` for other
 * keywords.
 */
export function limitProblem(keyword: string, limit: unknown): string | null {
  const count = Number(limit);
  switch (keyword) {
    case 'minItems':
      return `must have at least ${amount(count, 'item')}`;
    case 'maxItems':
      return `must have at most ${amount(count, 'item')}`;
    case 'minLength':
      return count === 1 ? "can't be empty" : `must have at least ${amount(count, 'character')}`;
    case 'maxLength':
      return `must have at most ${amount(count, 'character')}`;
    case 'minProperties':
      return `must have at least ${amount(count, 'field')}`;
    case 'maxProperties':
      return `must have at most ${amount(count, 'field')}`;
    case 'minimum':
      return `must be at least ${String(limit)}`;
    case 'maximum':
      return `must be at most ${String(limit)}`;
    default:
      return null;
  }
}

function amount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
