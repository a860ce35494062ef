import { reasonTexts } from '../../../../src/domain/discovery/reasons.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

/** Shows the source of the item's releases, or the reason that the item can't be compared. */
export function SourceText({ proposal, reason }: Pick<Schemas['DiscoveredItem'], 'proposal' | 'reason'>) {
  if (reason !== null && reason !== 'no_source') {
    return <span title={reasonTexts[reason]}>{reasonTexts[reason]}</span>;
  }
  if (proposal.artifact_name === null) return <span title={reasonTexts.no_source}>None known</span>;
  const note =
    proposal.confidence === 'likely' ? `Likely: ${proposal.why ?? ''}` : (proposal.why ?? undefined);
  return (
    <TwoLines second={note}>
      <span title={proposal.artifact_name}>
        <Breakable>{proposal.artifact_name}</Breakable>
      </span>
    </TwoLines>
  );
}
