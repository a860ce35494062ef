import { styleText } from 'node:util';
import { structuredPatch } from 'diff';
import { kindOf } from '../../domain/configuration/kinds.ts';
import { maskedUrl } from '../../domain/configuration/wanted-members.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { escapeControls } from '../../domain/text/visible-controls.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { counted } from '../output/counted.ts';
import { isReference } from './environment-values.ts';
import { type ConfigurationFile, entryAt } from './read-configuration.ts';

type Step = Schemas['ConfigurationStep'];
type Change = Schemas['ConfigurationChange'];

const signs = { create: '+', update: '~', delete: '-' } as const;
const colors = { '+': 'green', '~': 'yellow', '-': 'red' } as const;

/** Formats a plan: `+` create, `~` update, `-` delete, with the changed fields. */
export function renderPlan(
  { steps, unchanged }: Schemas['ConfigurationPlan'],
  file: ConfigurationFile,
  hasColor: boolean,
): string {
  const blocks = steps.map((step) => {
    const sign = signs[effectOf(step)];
    const line = `${sign} ${describeStep(step)}`;
    const title = hasColor ? styleText(colors[sign], line, { validateStream: false }) : line;
    const isNew = effectOf(step) === 'create';
    const lines = changesOf(step, file).flatMap((change) => changeLines(change, isNew));
    return [title, ...lines.map((each) => `    ${each}`)].join('\n');
  });
  const counts = countSteps(steps);
  const summary =
    steps.length === 0
      ? `No changes. ${counted(unchanged, 'resource')} up to date.`
      : `Plan: ${counts.create} to create, ${counts.update} to update, ${counts.delete} to delete, ${unchanged} unchanged.`;
  return `${[...blocks, summary].join('\n')}\n`;
}

/**
 * Returns the effect that is shown for a step. If the plan also creates the job whose version is set, the version is
 * part of that creation.
 */
function effectOf({ action, id }: Step): keyof typeof signs {
  if (action !== 'set_version') return action;
  return id === null ? 'create' : 'update';
}

function countSteps(steps: readonly Step[]): Record<keyof typeof signs, number> {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const step of steps) {
    const isPart = step.action === 'set_version' && step.id === null;
    if (!isPart) counts[effectOf(step)] += 1;
  }
  return counts;
}

/** Returns the changed fields. URLs are shown as in the file, because a variable can contain the host. */
function changesOf({ section, index, changes }: Step, { written }: ConfigurationFile): readonly Change[] {
  const url = entryAt(written, { section, index })?.['url'];
  if (section !== 'notification_channels' || typeof url !== 'string') return changes;
  const after = isReference(url) ? url : maskedUrl(url);
  return changes.map((change) => (change.field === 'url' ? { ...change, after } : change));
}

/** Formats a step: `rule "Ninety days"`. */
function describeStep({ action, section, name, id, chart }: Step): string {
  if (section === 'settings') return `setting ${name}`;
  if (section === 'templates') return `notification template ${name}`;
  const quoted = `"${cleanLine(name)}"`;
  if (action === 'set_version') return `version of scrape job ${quoted}`;
  const { word } = kindOf(section);
  if (chart !== null)
    return `${word} ${quoted} (pending until the helm sync job finds chart ${cleanLine(chart)})`;
  return id === null ? `${word} ${quoted}` : `${word} ${quoted} (${id})`;
}

function changeLines({ field, before, after }: Change, isNew: boolean): string[] {
  if (typeof after === 'string' && after.includes('\n')) {
    const old = typeof before === 'string' ? before : '';
    const { hunks } = structuredPatch('', '', old, after, '', '', { context: 2 });
    return [`${field}:`, ...hunks.flatMap(({ lines }) => lines.map((line) => `  ${escapeControls(line)}`))];
  }
  return isNew ? [`${field}: ${text(after)}`] : [`${field}: ${text(before)} → ${text(after)}`];
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
