import type { EventData, NotificationTemplateCategory } from '../../../domain/routing/notification-event.ts';
import { defaultTemplates, renderDefaultBody } from '../../../domain/templates/default-templates.ts';
import { type PresetId, renderPreset } from '../../../domain/templates/presets.ts';
import { runInSandbox, type TemplateSandbox } from '../../settings/index.ts';
import { notRendered, type Preview, type PreviewRequest } from './preview-job.ts';

const previewModule = new URL('./preview-job.ts', import.meta.url);

/** Checks and renders a user's template in the sandbox. */
export async function previewInSandbox(
  sandbox: TemplateSandbox,
  organizationId: number,
  order: PreviewRequest,
): Promise<Preview> {
  const job = () =>
    sandbox.run<PreviewRequest, Preview>(previewModule, 'previewTemplate', order, {
      fairKey: String(organizationId),
    });
  return runInSandbox(job, (error) => ({ ...notRendered, errors: [error], failingEvents: [] }));
}

/**
 * Renders a preset outside the sandbox, because presets are part of Pacekeeper. Its options are empty in a
 * preview.
 */
export function previewPreset(preset: PresetId, event: EventData): Preview {
  return { rendered: renderPreset(preset, event, {}), isValidJson: true, errors: [], failingEvents: [] };
}

/** Renders the effective template of a category in the same way as a delivery. */
export async function previewEffective(
  sandbox: TemplateSandbox,
  organizationId: number,
  category: NotificationTemplateCategory,
  source: string,
  event: EventData,
): Promise<Preview> {
  if (source === defaultTemplates[category]) {
    return { rendered: renderDefaultBody(event), isValidJson: true, errors: [], failingEvents: [] };
  }
  return previewInSandbox(sandbox, organizationId, { source, category, event, otherEvents: [] });
}
