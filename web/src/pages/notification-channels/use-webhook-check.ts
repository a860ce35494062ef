import { useDebouncedValue } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';

/**
 * Validates a webhook URL on the server while the user types. Requests are debounced, and only results for
 * the current URL are returned.
 */
export function useWebhookCheck(url: string, preset: Schemas['NotificationPreset']) {
  const [settled] = useDebouncedValue(url.trim(), 350);
  const check = useApi(
    'validateWebhookConfig',
    { body: { url: settled, preset } },
    { enabled: settled !== '' },
  );
  const isCurrent = settled === url.trim() && settled !== '';
  const issues = (list: Schemas['WebhookConfigIssue'][] | undefined) =>
    isCurrent ? (list ?? []).filter(({ field }) => field === 'url').map(({ message }) => message) : [];
  return {
    errors: issues(check.data?.errors),
    warnings: issues(check.data?.warnings),
    /** Message that would be sent for an example alert. */
    rendered: check.data?.rendered ?? null,
  };
}
