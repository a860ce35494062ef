import type { Schemas } from '../../../../src/generated/client-api.ts';

type ParserType = Schemas['ParserType'];

interface ParserInWords {
  label: string;
  about: string;
  /** Of an expression and of a file that it finds something in. */
  example: { expression: string; file: string; content: string };
}

/** How the deployed version is found in a file, the most usual first. */
export const parsers: Record<Exclude<ParserType, 'manual'>, ParserInWords> = {
  yq: {
    label: 'Path in YAML or JSON',
    about: 'Such as .image.tag or .releases[0].version; a key with dots in quotes: ."app.version".',
    example: {
      expression: '.image.tag',
      file: 'deploy/values.yaml',
      content: 'image:\n  repository: grafana/grafana\n  tag: "11.2.0"\n',
    },
  },
  regex: {
    label: 'Pattern in any text',
    about:
      'A regular expression (RE2) over the whole file: its first group in brackets, else the whole match.',
    example: {
      expression: 'FROM grafana/grafana:(\\S+)',
      file: 'Dockerfile',
      content: 'FROM grafana/grafana:11.2.0\nUSER grafana\n',
    },
  },
  jq: {
    label: 'Keys in JSON',
    about: 'Dotted keys only, such as .dependencies.react.',
    example: {
      expression: '.dependencies.react',
      file: 'package.json',
      content: '{\n  "dependencies": { "react": "19.1.0" }\n}\n',
    },
  },
};

export const parserOptions: { value: ParserType; label: string }[] = [
  ...(Object.keys(parsers) as (keyof typeof parsers)[]).map((value) => ({
    value,
    label: parsers[value].label,
  })),
  { value: 'manual', label: 'Set by hand or by CI' },
];

export const parserLabel = (type: ParserType): string =>
  parserOptions.find(({ value }) => value === type)?.label ?? type;

export const transformOptions: { value: Schemas['VersionTransform']; label: string }[] = [
  { value: 'none', label: 'As it is found' },
  { value: 'add_v_lower', label: 'Put v in front (1.2.3 → v1.2.3)' },
  { value: 'add_v_upper', label: 'Put V in front (1.2.3 → V1.2.3)' },
  { value: 'strip_v_lower', label: 'Take one v off (v1.2.3 → 1.2.3)' },
  { value: 'strip_v_upper', label: 'Take one V off (V1.2.3 → 1.2.3)' },
];
