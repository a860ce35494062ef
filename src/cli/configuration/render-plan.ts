import { styleText } from 'node:util';
import { structuredPatch } from 'diff';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { visibleControls } from '../../domain/text/visible-controls.ts';
import { counted } from '../output/counted.ts';
import type { Change, Plan, Step } from './plan-steps.ts';

/** The plan for people: `+` is made, `~` changed, `-` deleted, with what changes. */
export function renderPlan({ steps, unchanged }: Plan, hasColor: boolean): string {
  const paint = (color: 'green' | 'yellow' | 'red', text: string) =>
    hasColor ? styleText(color, text, { validateStream: false }) : text;
  const blocks = steps.map((step) => {
    const sign = signOf(step);
    const color = { '+': 'green', '~': 'yellow', '-': 'red' } as const;
    const lines = 'changes' in step ? step.changes.flatMap(changeLines) : [];
    return [paint(color[sign], `${sign} ${describeStep(step)}`), ...lines.map((line) => `    ${line}`)].join(
      '\n',
    );
  });
  const count = (sign: string) => steps.filter((step) => signOf(step) === sign).length;
  const summary =
    steps.length === 0
      ? `No changes. ${counted(unchanged, 'resource')} up to date.`
      : `Plan: ${count('+')} to create, ${count('~')} to update, ${count('-')} to delete, ${unchanged} unchanged.`;
  return `${[...blocks, summary].join('\n')}\n`;
}

function signOf(step: Step): '+' | '~' | '-' {
  switch (step.action) {
    case 'create':
      return '+';
    case 'delete':
    case 'unset':
    case 'unset-template':
      return '-';
    case 'set':
    case 'set-template':
      return step.changes[0]?.before === undefined ? '+' : '~';
    default:
      return '~';
  }
}

/** `rule "Ninety days"` */
export function describeStep(step: Step): string {
  switch (step.action) {
    case 'create':
      return `${step.kind.word} "${cleanLine(step.name)}"`;
    case 'update':
    case 'delete':
      return `${step.kind.word} "${cleanLine(step.name)}" (${step.id})`;
    case 'await':
      return `gather job "${cleanLine(step.name)}" (after the helm sync job creates it for chart ${cleanLine(step.chart)})`;
    case 'set':
    case 'unset':
      return `setting ${step.key}`;
    case 'set-template':
    case 'unset-template':
      return `notification template ${step.category}`;
    case 'set-version':
      return `version of scrape job "${cleanLine(step.entry.name)}"`;
  }
}

function changeLines({ field, before, after }: Change): string[] {
  if (typeof after === 'string' && after.includes('\n')) {
    const old = typeof before === 'string' ? before : '';
    const { hunks } = structuredPatch('', '', old, after, '', '', { context: 2 });
    return [`${field}:`, ...hunks.flatMap(({ lines }) => lines.map((line) => `  ${visibleControls(line)}`))];
  }
  return before === undefined ? [`${field}: ${text(after)}`] : [`${field}: ${text(before)} → ${text(after)}`];
}

function text(value: unknown): string {
  const shown =
    value === null || value === undefined
      ? 'none'
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return cleanLine(shown, 300) || '""';
}
