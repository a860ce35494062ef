/** A metric that a query references, with every label that the query requires. */
export interface Selector {
  metric: string;
  labels: Set<string>;
  matchers: { label: string; operator: string; value: string }[];
}

const token =
  /\s*(?:(?<string>"(?:[^"\\]|\\.)*")|(?<duration>\d+(?:ms|[smhdwy])(?:\d+(?:ms|[smhdwy]))*)|(?<number>\d+(?:\.\d+)?)|(?<word>[A-Za-z_:$][\w:$]*)|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^<>=(){}[\],]))/y;

const aggregations = new Set([
  'sum',
  'min',
  'max',
  'avg',
  'count',
  'group',
  'stddev',
  'stdvar',
  'topk',
  'bottomk',
  'quantile',
  'count_values',
]);
const functions = new Set([
  'rate',
  'irate',
  'increase',
  'delta',
  'histogram_quantile',
  'absent',
  'min_over_time',
  'max_over_time',
  'avg_over_time',
  'time',
  'label_values',
  'clamp_min',
  'clamp_max',
  'vector',
  'round',
]);
const operators = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '==',
  '!=',
  '>',
  '<',
  '>=',
  '<=',
  'and',
  'or',
  'unless',
]);

/**
 * Parses a Prometheus query or a Grafana variable query (`label_values`), and returns the metrics and labels
 * that it references. Throws for invalid queries. The parser covers only the part of the grammar that is used
 * here: https://prometheus.io/docs/prometheus/latest/querying/basics/
 */
export function selectorsOf(query: string): Selector[] {
  const tokens = readTokens(query);
  const selectors: Selector[] = [];
  let at = 0;
  const peek = () => tokens[at]?.text;
  const take = (expected?: string) => {
    const next = tokens[at++];
    if (next === undefined || (expected !== undefined && next.text !== expected))
      throw new Error(`${next?.text ?? 'the end'} instead of ${expected ?? 'more'}: ${query}`);
    return next;
  };
  const list = <Item>(open: string, close: string, readItem: () => Item): Item[] => {
    const items: Item[] = [];
    take(open);
    while (peek() !== close) {
      items.push(readItem());
      if (peek() !== close) take(',');
    }
    take(close);
    return items;
  };
  const readLabels = () => list('(', ')', () => word());
  const word = () => {
    const { kind, text } = take();
    if (kind !== 'word') throw new Error(`${text} is no name: ${query}`);
    return text;
  };
  const need = (from: number, labels: readonly string[]) => {
    for (const selector of selectors.slice(from)) for (const label of labels) selector.labels.add(label);
  };

  const readExpression = (): void => {
    const from = selectors.length;
    readOperand();
    while (operators.has(peek() ?? '')) {
      take();
      const matched =
        peek() === 'on' || peek() === 'ignoring' ? ([take().text, readLabels()] as const) : null;
      if (peek() === 'group_left' || peek() === 'group_right') {
        take();
        if (peek() === '(') readLabels();
      }
      readOperand();
      if (matched?.[0] === 'on') need(from, matched[1]);
    }
  };
  const readOperand = (): void => {
    if (peek() === '-') take();
    if (peek() === '(') list('(', ')', readExpression);
    else if (tokens[at]?.kind === 'word') readNamed();
    else if (['number', 'string'].includes(tokens[at]?.kind ?? '')) take();
    else throw new Error(`${peek() ?? 'the end'} is no operand: ${query}`);
    if (peek() === '[') {
      take();
      const { kind, text } = take();
      if (kind !== 'duration' && text !== '$__rate_interval')
        throw new Error(`${text} is no duration: ${query}`);
      take(']');
    }
  };
  const readNamed = (): void => {
    const name = word();
    const from = selectors.length;
    if (aggregations.has(name)) {
      const grouping = () => (peek() === 'by' ? (take(), readLabels()) : []);
      const before = grouping();
      list('(', ')', readExpression);
      need(from, [...before, ...grouping()]);
    } else if (name === 'label_values') {
      take('(');
      readExpression();
      take(',');
      need(from, [word()]);
      take(')');
    } else if (peek() === '(') {
      if (!functions.has(name)) throw new Error(`${name} is no function: ${query}`);
      list('(', ')', readExpression);
      if (name === 'histogram_quantile') need(from, ['le']);
    } else {
      const matchers = peek() === '{' ? list('{', '}', readMatcher) : [];
      selectors.push({ metric: name, labels: new Set(matchers.map(({ label }) => label)), matchers });
    }
  };
  const readMatcher = () => {
    const label = word();
    const operator = take().text;
    const { kind, text } = take();
    if (!['=', '!=', '=~', '!~'].includes(operator) || kind !== 'string')
      throw new Error(`${label}${operator}${text} matches nothing: ${query}`);
    return { label, operator, value: JSON.parse(text) as string };
  };

  readExpression();
  if (at < tokens.length) throw new Error(`${peek()} is too much: ${query}`);
  return selectors;
}

function readTokens(query: string): { kind: string; text: string }[] {
  const tokens: { kind: string; text: string }[] = [];
  const text = query.trim();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const groups = token.exec(text)?.groups;
    if (!groups) throw new Error(`what is ${text.slice(from).trim()}? ${query}`);
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined)!;
    tokens.push({ kind, text: found! });
  }
  return tokens;
}
