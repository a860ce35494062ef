import { Checkbox, List, Text } from '@mantine/core';
import { alertSentence, typicalMessagesSentence } from '../../../../src/domain/discovery/alert-sentence.ts';
import { labelSummary } from '../../../../src/domain/discovery/label-sources.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount } from '../../ui/format.ts';

/**
 * Describes what accepting items creates, and what can't be accepted.
 * @param rulesToCreate Number of rules that are created with the items. A dry run counts their monitors only if it
 * names the rule.
 */
export function AcceptPlan({
  result: {
    created,
    items,
    remaining_count,
    rejected_count,
    hosts_without_credential,
    alerts,
    typical_messages,
  },
  rulesToCreate = 0,
}: {
  result: Schemas['AcceptDiscoveredItemsResponse'];
  rulesToCreate?: number;
}) {
  const isUncounted = rulesToCreate > 0 && created.alert_configs === 0;
  const monitors = isUncounted
    ? items.filter(({ outcome, gather_job }) => outcome === 'accepted' && gather_job !== null).length
    : created.alert_configs;
  const parts = [
    counted(created.scrape_jobs, 'version tracker'),
    counted(created.gather_jobs, 'upstream source'),
    counted(created.helm_sync_jobs, 'Helm repository', 'Helm repositories'),
    counted(monitors, 'monitor'),
  ].filter((text) => text !== null);
  const messages = Map.groupBy(
    items.filter(({ outcome }) => outcome === 'rejected'),
    ({ message }) => message ?? '',
  );
  const labels = labelSummary(items);
  return (
    <div aria-live="polite">
      <Text size="sm">
        {parts.length === 0
          ? 'Nothing can be accepted.'
          : `Creates ${new Intl.ListFormat('en-US').format(parts)}.`}
        {remaining_count > 0 &&
          ` After that, at least ${formatCount(remaining_count)} more versions are accepted.`}
      </Text>
      {labels.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            Labels:
          </Text>
          <List size="sm">
            {labels.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
      {alerts !== null && created.alert_configs > 0 && (
        <Text size="sm" mt="xs">
          {alertSentence(alerts)}
          {typical_messages !== null &&
            ` ${typicalMessagesSentence(typical_messages, created.alert_configs)}`}
        </Text>
      )}
      {isUncounted && monitors > 0 && (
        <Text size="sm" mt="xs">
          The number of alerts isn't known before the rules are created.
        </Text>
      )}
      {rejected_count > 0 && (
        <>
          <Text size="sm" mt="xs">
            {formatCount(rejected_count)} can't be accepted:
          </Text>
          <List size="sm">
            {[...messages].map(([message, rejected]) => (
              <List.Item key={message}>
                {message} ({formatCount(rejected.length)})
              </List.Item>
            ))}
          </List>
        </>
      )}
      {hosts_without_credential.length > 0 && (
        <Text size="sm" mt="xs" c="var(--text-muted)">
          Read without a credential: {hosts_without_credential.slice(0, 10).join(', ')}
          {hosts_without_credential.length > 10 &&
            ` and ${formatCount(hosts_without_credential.length - 10)} more`}
        </Text>
      )}
    </div>
  );
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Field that includes the versions that aren't deployed. Hidden if there are none. */
export function OtherRolesField({
  count,
  checked,
  onChange,
}: {
  /** Number of versions that aren't included yet. */
  count: number;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  if (count === 0 && !checked) return null;
  return (
    <Checkbox
      label={
        checked
          ? 'Include versions from CI files and builds'
          : `Include ${formatCount(count)} ${count === 1 ? 'version' : 'versions'} from CI files and builds`
      }
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
