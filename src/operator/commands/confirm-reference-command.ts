import { isReferenceSource, referenceNames } from '../../domain/rules/reference-age.ts';
import { type ConfirmOutcome, confirmWaitingLoad } from '../../modules/reference/index.ts';
import { countNoun } from './count-noun.ts';
import { CommandError, type OperatorCommand, UsageError } from './operator-command.ts';

/** The `pacekeeper admin confirm-reference` command, for data that an agent fetched. */
export const confirmReferenceCommand: OperatorCommand = {
  name: 'admin confirm-reference',
  synopsis: 'SOURCE',
  summary: 'Load fetched reference data that would change many results',
  help: `
SOURCE is ${referenceNames}.

Data that an agent has fetched waits if it would change more than 10% (and at least 20) of an organization's results, or of the stored entries about exploits.
'pacekeeper doctor' shows how many. This command loads it. Newer data replaces it while it waits.`,
  positionals: ['SOURCE'],
  options: {},
  async run({ args, open, print }) {
    const [source] = args as [string];
    if (!isReferenceSource(source))
      throw new UsageError(`${JSON.stringify(source)} isn't a source; use ${referenceNames}.`);
    const { db } = await open();
    const result = await confirmWaitingLoad(db, source);
    switch (result.outcome) {
      case 'none':
        throw new CommandError('no data is waiting for confirmation.');
      case 'loaded':
        print(
          `Loaded ${describeLoaded(result)}, as of ${new Date(result.asOfMs).toISOString()}. ${result.changed} changed.`,
        );
        return;
      default:
        throw new CommandError('the stored data is newer than the data that is waiting.');
    }
  },
};

function describeLoaded(result: Extract<ConfirmOutcome, { outcome: 'loaded' }>): string {
  if ('lines' in result)
    return `${countNoun(result.products, 'product')} with ${countNoun(result.lines, 'release line')}`;
  if ('entries' in result) return countNoun(result.entries, 'CVE ID');
  return `${countNoun(result.kept, 'record')} of ${countNoun(result.packages, 'package')}`;
}
