import {
  eventTypeNames,
  type NotificationTemplateCategory,
} from '../../../domain/routing/notification-event.ts';
import type { PresetId } from '../../../domain/templates/presets.ts';
import { sampleEvent, sampleOfCategory } from '../../../domain/templates/sample-events.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { readSettings, type TemplateSandbox, templateSettingKeys } from '../../settings/index.ts';
import type { Preview } from '../templates/preview-job.ts';
import { previewEffective, previewInSandbox, previewPreset } from '../templates/preview-template.ts';
import { findUrlIssues, type UrlPolicy } from './webhook-url.ts';

export interface WebhookConfig {
  url: string;
  template?: string | null;
  /** `null` if the template applies to all events. */
  category: NotificationTemplateCategory | null;
  preset?: PresetId;
}

type Issue = Schemas['WebhookConfigIssue'];

/**
 * Validates a webhook before it's created. Doesn't resolve host names, send requests, or write to the
 * database.
 */
export async function validateWebhookConfig(
  { db, sandbox, urlPolicy }: { db: Database; sandbox: TemplateSandbox; urlPolicy: UrlPolicy },
  organizationId: number,
  { url, template, category, preset }: WebhookConfig,
): Promise<Schemas['WebhookConfigValidationResult']> {
  const urlErrors = findUrlIssues(url, urlPolicy, { hasVariables: true }).map(
    ({ code, message }): Issue => ({
      field: 'url',
      code,
      message: `The URL ${message}.`,
      line: null,
      column: null,
    }),
  );
  const preview = await previewConfig();
  const templateErrors = preview.errors.map((error): Issue => ({ field: 'template', ...error }));
  const errors = [...urlErrors, ...templateErrors];
  const warnings = [
    ...(/^http:/i.test(url) && urlErrors.length === 0 ? [plainHttpWarning] : []),
    ...templateWarnings(preview),
  ];
  return { valid: errors.length === 0, errors, warnings, rendered: preview.rendered };

  async function previewConfig(): Promise<Preview> {
    const sampleCategory = category ?? 'new_alert';
    const event = sampleOfCategory(sampleCategory);
    if (template != null) {
      const otherEvents = category === null ? eventTypeNames.map(sampleEvent) : [];
      return previewInSandbox(sandbox, organizationId, { source: template, category, event, otherEvents });
    }
    if (preset !== undefined && preset !== 'generic') return previewPreset(preset, event);
    const settings = await readSettings(db, organizationId);
    const source = settings[templateSettingKeys[sampleCategory]];
    return previewEffective(sandbox, organizationId, sampleCategory, source, event);
  }
}

const plainHttpWarning: Issue = {
  field: 'url',
  code: 'plain_http',
  message: "The URL isn't encrypted (http://).",
  line: null,
  column: null,
};

function templateWarnings({ rendered, isValidJson, errors, failingEvents }: Preview): Issue[] {
  if (errors.length > 0) return [];
  const place = { field: 'template' as const, line: null, column: null };
  const warnings: Issue[] = [];
  if (rendered !== null && !isValidJson) {
    const message = "The template output isn't JSON but is sent as application/json.";
    warnings.push({ ...place, code: 'not_json', message });
  }
  if (failingEvents.length > 0) {
    const message = `Can't render these events; the default message would be sent: ${failingEvents.join(', ')}.`;
    warnings.push({ ...place, code: 'default_body', message });
  }
  return warnings;
}
