import { describeStateReason } from '../domain/alerts/state-reasons.ts';
import { explainInSentences, jumpSentence } from '../domain/rules/explanation-sentences.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';
import { visibleControls } from '../domain/text/visible-controls.ts';
import type { Schemas } from '../generated/client-api.ts';
import { addConnectionOptions, addOutputOption, type CliCommand, type OutputOptions } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { serverTimeOf } from './durations.ts';
import { formatTime } from './output/format-time.ts';
import { printItem } from './output/print-result.ts';
import { findKey, resourceByName } from './resources/find-resource.ts';

interface ExplainOptions extends ConnectionOptions, OutputOptions {}

type Config = Schemas['AlertConfig'];
type Explained = Schemas['AlertConfigExplanation'];

/** `explain CONFIG`: why an alert configuration is in its state, in the sentences of its page. */
export const explainCommand: CliCommand = (command, { io, connect }) => {
  addOutputOption(addConnectionOptions(command), { hasNames: false })
    .argument('<alert-config>', 'Alert configuration ID or name')
    .action(async (reference: string, { output, ...options }: ExplainOptions) => {
      const { api } = await connect(options);
      const id = Number(await findKey(api, resourceByName('alert-configs'), reference));
      const { headers, body } = await api.send('getAlertConfigExplanation', { path: { id } });
      if (output !== 'table') return printItem(io, output, { ...body }, plainShape);
      const config = await api.call('getAlertConfig', { path: { id } });
      const nowMs = serverTimeOf(headers, 'Use -o json instead.');
      const severity = config.severity === null ? '' : ` (${config.severity})`;
      io.stdout(`${cleanLine(config.name)}: ${config.state}${severity}\n\n`);
      for (const sentence of sentencesOf(config, body, nowMs))
        io.stdout(`${visibleControls(sentence, '')}\n`);
      if (body.explanation !== null)
        io.stdout(`\nLast evaluated: ${String(formatTime(body.evaluated_at))}\n`);
    });
};

function sentencesOf(config: Config, { explanation }: Explained, nowMs: number): string[] {
  const { state, state_reason } = config;
  const sentences = state === 'inactive' ? ['The alert configuration or its rule is disabled.'] : [];
  // The verdict of an explanation without an alert says its reason.
  const isSaid = explanation?.state_reason === state_reason && explanation.state !== 'alerting';
  if (state_reason !== null && !isSaid) sentences.push(describeStateReason(state_reason, 'api'));
  if (explanation === null)
    return state === 'inactive'
      ? sentences
      : [...sentences, 'Not evaluated yet: the first evaluation is pending.'];
  const jump = jumpSentence(explanation);
  return [...sentences, ...(jump === null ? [] : [jump]), ...explainInSentences(explanation, nowMs, 'api')];
}

/** For results that aren't resources: they have no names to print. */
const plainShape = { columns: [], nameOf: () => '' };
