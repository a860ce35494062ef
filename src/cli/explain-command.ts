import type { ApiClient } from '../client/api-client.ts';
import { describeStateReason, stateReasons } from '../domain/alerts/state-reasons.ts';
import {
  explainInSentences,
  jumpSentence,
  unconfirmedSentence,
} from '../domain/rules/explanation-sentences.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { escapeControls } from '../domain/text/visible-controls.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { CliIo } from './cli-io.ts';
import type { ConnectionOptions } from './connect.ts';
import { serverTimeOf } from './durations.ts';
import { formatTime } from './output/format-time.ts';
import { printItem } from './output/print-result.ts';
import { findKey, idNumberOf, resourceByName } from './resources/find-resource.ts';

interface ExplainOptions extends ConnectionOptions, OutputOptions {}

type Config = Schemas['AlertConfig'];
type Explained = Schemas['AlertConfigExplanation'];

/**
 * `explain CONFIG|alerts/ID`: explains the state of an alert configuration with the same sentences as its
 * page.
 */
export const explainCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument(
      '<alert-config>',
      'Alert configuration ID or name, an alert such as alerts/7, or the URL of the page of either',
    )
    .action(async (reference: string, { output, ...options }: ExplainOptions) => {
      const { api } = await connect(options);
      const id = await findConfig(api, io, reference);
      const { headers, body } = await api.send('getAlertConfigExplanation', { path: { id } });
      if (output !== 'table') return printItem(io, output, { ...body }, plainShape);
      const config = await api.call('getAlertConfig', { path: { id } });
      const nowMs = serverTimeOf(headers, 'Use -o json instead.');
      const severity = config.severity === null ? '' : ` (${config.severity})`;
      io.stdout(`${cleanLine(config.name)}: ${config.state}${severity}\n\n`);
      for (const sentence of sentencesOf(config, body, nowMs)) io.stdout(`${escapeControls(sentence, '')}\n`);
      if (body.explanation !== null)
        io.stdout(`\nLast evaluated: ${String(formatTime(body.evaluated_at))}\n`);
    });
};

/** Matches the page URL of an alert or alert configuration. The server URL can contain a path. */
const page = /^https?:\/\/[^?#]*\/((?:alerts|alert-configs)\/\d+)\/?(?:[?#]|$)/i;

async function findConfig(api: ApiClient, io: CliIo, given: string): Promise<number> {
  const reference = page.exec(given)?.[1] ?? given;
  const alert = /^alerts?\//.test(reference) ? idNumberOf(resourceByName('alerts'), reference) : null;
  if (alert === null) return Number(await findKey(api, resourceByName('alert-configs'), reference));
  const { alert_config_id, status } = await api.call('getAlert', { path: { id: alert } });
  if (status === 'resolved')
    io.stderr(
      `Alert ${alert} is resolved. The explanation is about the current state of its alert configuration.\n`,
    );
  return alert_config_id;
}

function sentencesOf(
  config: Config,
  { explanation, deployed_unconfirmed: unconfirmed }: Explained,
  nowMs: number,
): string[] {
  const { state, state_reason } = config;
  const sentences = state === 'inactive' ? ['The alert configuration or its rule is disabled.'] : [];
  // If there's no alert, the verdict sentence already includes the reason.
  const isIncluded = explanation?.state_reason === state_reason && explanation.state !== 'alerting';
  // The sentence about the deployed version already contains the reason, but not the remedy.
  const isRemedyMissing = isAboutDeployed(state_reason) && explanation?.reason === state_reason;
  if (state_reason !== null && !isIncluded && !isRemedyMissing)
    sentences.push(describeStateReason(state_reason, 'api'));
  if (explanation === null)
    return state === 'inactive'
      ? sentences
      : [...sentences, 'Not evaluated yet: the first evaluation is pending.'];
  const jump = jumpSentence(explanation);
  return [
    ...sentences,
    ...(jump === null ? [] : [jump]),
    ...(unconfirmed === null ? [] : [unconfirmedSentence(unconfirmed)]),
    ...explainInSentences(explanation, nowMs, 'api'),
    ...(isRemedyMissing && state_reason !== null ? [stateReasons[state_reason].remedy] : []),
  ];
}

function isAboutDeployed(reason: Config['state_reason']): boolean {
  return reason === 'version_not_found' || reason === 'version_unparseable';
}

/** Output shape without columns and names, for results that aren't resources. */
const plainShape = { columns: [], nameOf: () => '' };
