import { useDebouncedValue } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';

export type TemplateCategory = Schemas['NotificationTemplateCategory'];

export interface PreviewChoice {
  /** Category of the template. Null if the template applies to every event. */
  category: TemplateCategory | null;
  body: string;
  /** Renders the default message of this platform instead of the template. */
  preset: Schemas['NotificationPreset'] | null;
  event: Schemas['AlertEventType'];
  severity: Schemas['AlertSeverity'];
}

/**
 * Returns a preview of a template while the user edits it. The preview is requested after a short pause in
 * typing, and the previous result stays until the next one arrives.
 */
export function useTemplatePreview(choice: PreviewChoice) {
  const [settled] = useDebouncedValue(choice.body, 300);
  const { category, preset, event, severity } = choice;
  const preview = useApi(
    'previewNotificationTemplate',
    {
      body: {
        category: category ?? categoryOf(event),
        ...(preset === null ? { body: settled } : { preset }),
        sample: { event, alert: { severity } },
      },
    },
    { keepPrevious: true, enabled: category !== null || preset !== null },
  );
  // A template for every event is validated with the webhook check, because only that check knows which
  // variables the template can use.
  const check = useApi(
    'validateWebhookConfig',
    { body: { url: 'https://example.com/', template: settled } },
    { keepPrevious: true, enabled: category === null && preset === null },
  );
  if (category === null && preset === null) {
    const issues = check.data?.errors.filter(({ field }) => field === 'template') ?? none;
    return {
      rendered: check.data?.rendered ?? null,
      isValidJson: check.data?.warnings.every(({ code }) => code !== 'not_json') ?? true,
      issues,
      warnings: check.data?.warnings.filter(({ field }) => field === 'template') ?? none,
      error: check.error,
      isLoaded: check.data !== undefined,
    };
  }
  return {
    rendered: preview.data?.rendered ?? null,
    isValidJson: preview.data?.is_valid_json ?? true,
    issues: preview.data?.errors ?? none,
    warnings: none,
    error: preview.error,
    isLoaded: preview.data !== undefined,
  };
}

const none: readonly Schemas['TemplateIssue'][] = [];

/**
 * Returns the template category of an event. The preview requires a category even if the template applies to every
 * event.
 */
function categoryOf(event: Schemas['AlertEventType']): TemplateCategory {
  if (event === 'alert.resolved') return 'resolved';
  return event === 'alert.acknowledged' || event === 'alert.unacknowledged' ? 'acknowledged' : 'new_alert';
}
