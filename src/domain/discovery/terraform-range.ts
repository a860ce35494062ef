/**
 * True if a version fits a range such as `>= 4.0, ~> 5.1`. A locked version that doesn't fit was locked
 * before the range was changed, and Terraform rejects it. Ranges and versions that can't be parsed are
 * considered to fit.
 */
export function isInRange(range: string | null, version: string): boolean {
  const actual = numbersOf(version);
  return (range ?? '').split(',').every((part) => {
    const [, operator = '', text = ''] = /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d+(?:\.\d+)*)$/.exec(part.trim()) ?? [];
    if (text === '' || actual.length === 0) return true;
    const bound = numbersOf(text);
    const order = compare(actual, bound);
    switch (operator) {
      case '!=':
        return order !== 0;
      case '>':
        return order > 0;
      case '>=':
        return order >= 0;
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '~>':
        // `~>` allows only the last given number to be higher.
        return order >= 0 && bound.slice(0, -1).every((number, at) => actual[at] === number);
      default:
        return order === 0;
    }
  });
}

function numbersOf(version: string): number[] {
  const numbers = /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '';
  return numbers === '' ? [] : numbers.split('.').map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
