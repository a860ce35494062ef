import type { EventData, NotificationTemplateCategory } from '../../../domain/routing/notification-event.ts';
import { defaultTemplates, renderDefaultBody } from '../../../domain/templates/default-templates.ts';
import { type PresetId, renderPreset } from '../../../domain/templates/presets.ts';
import { type TemplateSandbox, withinSandbox } from '../../settings/index.ts';
import { notRendered, type Preview, type PreviewOrder } from './preview-job.ts';

const previewModule = new URL('./preview-job.ts', import.meta.url);

/** Checks and renders what a user wrote, in the sandbox. */
export async function previewInSandbox(
  sandbox: TemplateSandbox,
  organizationId: number,
  order: PreviewOrder,
): Promise<Preview> {
  const job = () =>
    sandbox.run<PreviewOrder, Preview>(previewModule, 'previewTemplate', order, {
      fairKey: String(organizationId),
    });
  return withinSandbox(job, (error) => ({ ...notRendered, errors: [error], failingEvents: [] }));
}

/** A preset is ours, so it runs here. Options that it needs are left empty: a preview has none. */
export function previewPreset(preset: PresetId, event: EventData): Preview {
  return { rendered: renderPreset(preset, event, {}), isValidJson: true, errors: [], failingEvents: [] };
}

/** The template that holds for a category, as a delivery would render it. */
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
