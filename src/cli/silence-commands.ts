import { checkLabelPattern } from '../domain/routing/match-label-pattern.ts';
import type { LabelMatcher } from '../domain/routing/match-rule.ts';
import { type AlertSeverity, alertSeverities } from '../domain/rules/severity.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, type CliCommand, collect } from './cli-command.ts';
import { CliError, describeError, exitCodeOf, usageError } from './cli-error.ts';
import type { ConnectionOptions } from './connect.ts';
import { readDuration, serverTimeIn } from './durations.ts';
import { findKey, idNumberOf, resourceByName } from './resources/find-resource.ts';

interface SilenceOptions extends ConnectionOptions {
  label?: string[];
  severity?: string[];
  rule?: string[];
  for?: string;
  from?: string;
  until?: string;
  reason: string;
}

/** `silence -l team=payments --for 2h --reason TEXT`: creates a silence. */
export const silenceCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .option(
      '-l, --label <matcher>',
      'Label, such as team=payments, env!=dev, or team=~"a|b"; repeatable',
      collect,
    )
    .option('--severity <severity>', `${alertSeverities.join(', ')}; repeatable`, collect)
    .option('--rule <id-or-name>', 'Rule; repeatable', collect)
    .option('--for <duration>', 'Duration: 90m, 12h, 7d, 2w')
    .option('--from <time>', 'Start time, such as 2027-01-31T06:00:00Z; now by default')
    .option('--until <time>', 'End time, such as 2027-01-31T08:00:00Z')
    .requiredOption('-r, --reason <text>', 'Why the alerts are silenced')
    .action(async (options: SilenceOptions) => {
      const { label = [], severity = [], rule = [], from, reason } = options;
      if ((options.for === undefined) === (options.until === undefined))
        throw usageError('Use either --for DURATION or --until TIME.');
      if (options.for !== undefined && from !== undefined)
        throw usageError('--for starts now. With --from, use --until.');
      if (label.length + severity.length + rule.length === 0)
        throw usageError('Specify the alerts to silence with --label, --severity, or --rule.');
      const label_matchers = label.map(readMatcher);
      const severities = severity.map(readSeverity);
      const duration = options.for === undefined ? null : readDuration(options.for);
      const { api } = await connect(options);
      const rule_ids: number[] = [];
      for (const reference of rule)
        rule_ids.push(Number(await findKey(api, resourceByName('rules'), reference)));
      const ends_at = duration === null ? options.until! : await serverTimeIn(api, duration);
      const criteria = { label_matchers, severities, rule_ids };
      const { id, status } = await api.call('createSilence', {
        body: { ...criteria, ends_at, reason, ...(from !== undefined && { starts_at: from }) },
      });
      // The silence exists even if counting its alerts fails, so ignore that error.
      const result = await api.call('previewSilence', { body: criteria }).then(describeMatches, () => null);
      io.stdout(`Silence ${id} created (${status}).${result === null ? '' : ` ${result}`}\n`);
    });
};

function describeMatches({ open_alerts, open_alerts_is_exact }: Schemas['PreviewSilenceResponse']): string {
  const count = `${open_alerts_is_exact ? '' : 'at least '}${open_alerts}`;
  return `It matches ${count} open ${open_alerts === 1 ? 'alert' : 'alerts'}.`;
}

/** `unsilence ID…`: ends silences. */
export const unsilenceCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('<id...>', 'Silence IDs')
    .action(async (texts: string[], options: ConnectionOptions) => {
      const resource = resourceByName('silences');
      const ids = texts.map((text) => {
        const id = idNumberOf(resource, text);
        if (id === null)
          throw usageError(`Invalid silence ID "${text}". Run 'pacekeeper get silences' to list IDs.`);
        return id;
      });
      const { api } = await connect(options);
      const failures: unknown[] = [];
      for (const id of ids) {
        try {
          await endSilence(id);
          io.stdout(`Silence ${id} ended\n`);
        } catch (error) {
          failures.push(error);
          io.stderr(`Silence ${id}: ${describeError(error)}\n`);
        }
      }
      if (failures.length > 0)
        throw new CliError(`${failures.length} of ${texts.length} failed.`, exitCodeOf(failures[0]));

      /** Ends a silence. A silence that hasn't started is deleted. */
      async function endSilence(id: number): Promise<void> {
        const path = { id };
        const { status } = await api.call('getSilence', { path });
        if (status === 'scheduled') await api.call('deleteSilence', { path });
        // The server replaces a time in the past with its current time, so the silence ends now.
        else await api.call('updateSilence', { path, body: { ends_at: '1970-01-01T00:00:00Z' } });
      }
    });
};

function readMatcher(text: string): LabelMatcher {
  const [, label, operator, quoted = ''] =
    /^([A-Za-z][A-Za-z0-9_./-]{0,62})(=~|!~|!=|=)(.*)$/s.exec(text) ?? [];
  if (label === undefined)
    throw usageError(`Invalid label "${text}". Use team=payments, env!=dev, or team=~"a|b".`);
  const value = /^".*"$/s.test(quoted) ? quoted.slice(1, -1) : quoted;
  const problem = operator === '=~' || operator === '!~' ? checkLabelPattern(value) : null;
  if (problem !== null) throw usageError(`Invalid pattern "${value}": ${problem}`);
  return { label, operator: operator as LabelMatcher['operator'], value };
}

function readSeverity(text: string): AlertSeverity {
  const found = alertSeverities.find((severity) => severity === text);
  if (found === undefined) throw usageError(`Invalid severity "${text}". Use ${alertSeverities.join(', ')}.`);
  return found;
}
