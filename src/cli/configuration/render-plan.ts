import { styleText } from 'node:util';
import { structuredPatch } from 'diff';
import type { Change, Plan, Step } from '../../domain/configuration/plan-steps.ts';
import { maskedUrl } from '../../domain/configuration/wanted-members.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { visibleControls } from '../../domain/text/visible-controls.ts';
import { counted } from '../output/counted.ts';
import { isReference } from './environment-values.ts';
import { type ConfigurationFile, entryAt } from './read-configuration.ts';

/** The plan for people: `+` is made, `~` changed, `-` deleted, with what changes. */
export function renderPlan({ steps, unchanged }: Plan, file: ConfigurationFile, hasColor: boolean): string {
  const paint = (color: 'green' | 'yellow' | 'red', text: string) =>
    hasColor ? styleText(color, text, { validateStream: false }) : text;
  const blocks = steps.map((step) => {
    const sign = signOf(step);
    const color = { '+': 'green', '~': 'yellow', '-': 'red' } as const;
    const lines = changesOf(step, file).flatMap(changeLines);
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

/** What changes; of a URL what the file has of it, for a variable may hold its host. */
function changesOf(step: Step, { written }: ConfigurationFile): readonly Change[] {
  if (!('changes' in step)) return [];
  const url = 'entry' in step && entryAt(written, step.entry)?.['url'];
  if (typeof url !== 'string') return step.changes;
  const after = isReference(url) ? url : maskedUrl(url);
  return step.changes.map((change) => (change.field === 'url' ? { ...change, after } : change));
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
