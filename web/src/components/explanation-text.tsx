import { Alert, Group, List, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import {
  explainInSentences,
  jumpSentence,
  unconfirmedSentence,
} from '../../../src/domain/explanations/explanation-sentences.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useApi } from '../api/use-api.ts';
import { useHasRole } from '../api/use-me.ts';
import { RelativeTime, useNow } from '../ui/relative-time.tsx';
import { ChangeButton } from './change-button.tsx';
import {
  type ComparisonChange,
  changesForVersionJump,
  changesFromExplanation,
  changesToFollowOthers,
  jobChangesFromExplanation,
} from './comparison-changes.ts';
import { Loaded } from './loaded.tsx';
import { useComparisonChange, useJobChange } from './use-comparison-change.tsx';

type Explanation = Schemas['EvaluationExplanation'];

/**
 * Explanation of the state of an alert configuration, based on its last evaluation, one sentence per list
 * item.
 */
export function ExplanationText({ alertConfigId }: { alertConfigId: number }) {
  const query = useApi('getAlertConfigExplanation', { path: { id: alertConfigId } });
  const now = useNow();
  return (
    <Loaded query={query}>
      {({ explanation, evaluated_at, deployed_unconfirmed: unconfirmed }) =>
        explanation === null ? (
          <Text size="sm" c="var(--text-muted)">
            Not evaluated yet.
          </Text>
        ) : (
          <ExplanationActions alertConfigId={alertConfigId} explanation={explanation}>
            <List size="sm" spacing={4}>
              {[
                ...(unconfirmed === null ? [] : [unconfirmedSentence(unconfirmed)]),
                ...explainInSentences(explanation, now, 'ui'),
              ].map((sentence) => (
                <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
                  {sentence}
                </List.Item>
              ))}
            </List>
            <Text size="xs" mt="xs" c="var(--text-muted)">
              Last evaluated <RelativeTime at={evaluated_at} />.
            </Text>
          </ExplanationActions>
        )
      }
    </Loaded>
  );
}

/**
 * Shows the explanation. Above it is a warning if the version jump is unusual. Below it are buttons that
 * change the comparison.
 */
function ExplanationActions({
  alertConfigId,
  explanation,
  children,
}: {
  alertConfigId: number;
  explanation: Explanation;
  children: React.ReactNode;
}) {
  const canWrite = useHasRole('member');
  const { data: config } = useApi('getAlertConfig', { path: { id: alertConfigId } }, { enabled: canWrite });
  const { data: job } = useApi(
    'getGatherJob',
    { path: { id: config?.gather_job_id ?? 0 } },
    { enabled: config !== undefined },
  );
  const { apply, isBusy } = useComparisonChange(config);
  const ofJob = useJobChange(job);
  const isOffered = canWrite && config !== undefined;
  const button = (change: ComparisonChange) => (
    <ChangeButton key={change.label} disabled={isBusy} onClick={() => void apply(change)}>
      {change.label}
    </ChangeButton>
  );
  const changes = isOffered ? changesFromExplanation(explanation, config) : [];
  // Offer changes to the source only if it belongs to the organization, because only the operator can change
  // a global source.
  const jobChanges = isOffered && job?.scope === 'organization' ? jobChangesFromExplanation(explanation) : [];
  const followed = isOffered ? changesToFollowOthers(explanation, config) : [];
  const sentence = jumpSentence(explanation);
  return (
    <>
      {sentence !== null && (
        <Alert variant="outline" color="var(--severity-moderate)" mb="sm" title="Unusual jump">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
          {isOffered && <Group mt="xs">{changesForVersionJump(explanation).map(button)}</Group>}
        </Alert>
      )}
      {children}
      {changes.length + jobChanges.length + followed.length > 0 && (
        <Group gap="xs" mt="sm">
          {changes.map(button)}
          {jobChanges.map((change) => (
            <ChangeButton key={change.label} disabled={ofJob.isBusy} onClick={() => void ofJob.apply(change)}>
              {change.label}
            </ChangeButton>
          ))}
          {followed.length > 0 && (
            <Menu position="bottom-start" withinPortal>
              <Menu.Target>
                <ChangeButton disabled={isBusy} rightSection={<IconChevronDown size={14} aria-hidden />}>
                  Follow other releases
                </ChangeButton>
              </Menu.Target>
              <Menu.Dropdown maw="min(32rem, 90vw)">
                {followed.map((change) => (
                  <Menu.Item
                    key={change.label}
                    onClick={() => void apply(change)}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {change.label.replace('Follow releases like', 'Like')}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      )}
    </>
  );
}
