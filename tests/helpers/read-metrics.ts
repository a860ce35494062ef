export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface MetricFamily {
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';
  help: string;
  samples: readonly Sample[];
}

/** Suffixes of the sample names of each metric type. */
const suffixes = {
  counter: [''],
  gauge: [''],
  untyped: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
} as const satisfies Record<MetricFamily['type'], readonly string[]>;

/**
 * Parses the Prometheus text format, version 0.0.4. Throws for input that Prometheus would reject or
 * interpret differently: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function readMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, MetricFamily & { samples: Sample[] }>();
  const series = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let family: (MetricFamily & { samples: Sample[] }) | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '') continue;
    const fail = (what: string) => new Error(`${what}: ${JSON.stringify(line)}`);
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name, rest] = comment as unknown as [string, string, string, string];
      if (kind === 'HELP') {
        if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) throw fail('an unknown escape');
        help = { name, text: rest };
      } else {
        if (!(rest in suffixes)) throw fail('an unknown type');
        if (families.has(name)) throw fail('a metric that was there before');
        if (help?.name !== name) throw fail('a type without its help before it');
        family = { name, type: rest as MetricFamily['type'], help: help.text, samples: [] };
        families.set(name, family);
      }
      continue;
    }
    if (line.startsWith('#')) throw fail('a comment');
    const sample = readSample(line);
    if (!sample) throw fail('no sample');
    const { name, type } = family ?? { name: '', type: 'untyped' };
    if (!suffixes[type].some((suffix) => sample.name === name + suffix)) throw fail(`not of ${name}`);
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
    if (series.has(identity)) throw fail('the same series again');
    series.add(identity);
    family!.samples.push(sample);
  }
  return families;
}

const number = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf|nan)$/i;

function readSample(line: string): Sample | null {
  const head = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{)?/.exec(line);
  if (!head) return null;
  let rest = line.slice(head[0].length);
  const labels: Record<string, string> = {};
  if (head[2]) {
    for (let label: RegExpExecArray | null; !rest.startsWith('}'); rest = rest.slice(label[0].length)) {
      label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|(?=\}))/.exec(rest);
      if (!label || Object.hasOwn(labels, label[1]!)) return null;
      labels[label[1]!] = label[2]!.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
    }
    rest = rest.slice(1);
  }
  const value = rest.slice(1);
  if (!rest.startsWith(' ') || !number.test(value)) return null;
  return { name: head[1]!, labels, value: Number(value.replace(/inf/i, 'Infinity')) };
}
