import type { ChatButtons } from '../../../../domain/channels/chat-buttons.ts';
import {
  type EventData,
  type EventType,
  eventCategory,
  type NotificationTemplateCategory,
} from '../../../../domain/routing/notification-event.ts';
import type { PresetId, PresetOptions } from '../../../../domain/templates/presets.ts';
import {
  type RenderBodyInput,
  type RenderedBody,
  renderBody,
} from '../../../../domain/templates/render-body.ts';
import { renderEmail } from '../../../../domain/templates/render-email.ts';
import { renderTicket } from '../../../../domain/tickets/render-ticket.ts';
import { isTracker } from '../../../../domain/tickets/trackers.ts';
import type { Schemas } from '../../../../generated/client-api.ts';
import type { Sandbox } from '../../../../platform/sandbox/sandbox.ts';
import {
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from '../../../../platform/sandbox/sandbox-errors.ts';
import type { DeliverySettings } from '../model/delivery-settings.ts';

export interface ChannelTemplates {
  channel_type: Schemas['NotificationChannelType'];
  template: string | null;
  templates: Readonly<Partial<Record<NotificationTemplateCategory, string | null>>>;
  preset: PresetId;
  presetOptions: PresetOptions;
  /** `null` for a message without buttons. */
  buttons?: ChatButtons | null;
  /** Stored host that the keys of incidents contain. */
  incidentHost?: string | null;
}

/**
 * Renders the body of a delivery at its first attempt. User templates run in the sandbox. Presets, the
 * default body, emails, and tickets are trusted code and run in this process. A template that fails, takes
 * too long, or needs too much memory is replaced by the body of the channel's preset, or the default body.
 * @throws SandboxBusyError If the sandbox has no capacity. The delivery is retried.
 */
export async function renderOnce(
  sandbox: Sandbox,
  organizationId: number,
  event: EventData,
  channel: ChannelTemplates,
  templates: DeliverySettings['templates'],
): Promise<RenderedBody> {
  if (channel.channel_type === 'email')
    return { body: JSON.stringify(renderEmail(event)), usedTemplate: 'email', failure: null };
  if (isTracker(channel.channel_type)) {
    const body = JSON.stringify(renderTicket(event, channel.channel_type));
    return { body, usedTemplate: 'ticket', failure: null };
  }
  const category = eventCategory(event.event);
  const { organization, global } = category === null ? noTemplates : templates[category];
  const { buttons = null, incidentHost = null } = channel;
  const request: RenderBodyInput = {
    event,
    channel,
    buttons,
    incidentHost,
    organizationTemplate: organization,
    globalTemplate: global,
  };
  if (!needsSandbox(event.event, channel, templates)) return renderBody(request);
  try {
    return await sandbox.run<RenderBodyInput, RenderedBody>(renderBodyModule, 'renderBody', request, {
      fairKey: String(organizationId),
    });
  } catch (error) {
    const isTemplateError =
      error instanceof SandboxTimeoutError ||
      error instanceof SandboxMemoryError ||
      error instanceof SandboxJobError;
    if (!isTemplateError) throw error;
    const withoutTemplates: RenderBodyInput = {
      event,
      channel: {
        template: null,
        templates: {},
        preset: channel.preset,
        presetOptions: channel.presetOptions,
      },
      buttons,
      incidentHost,
      organizationTemplate: null,
    };
    return {
      ...renderBody(withoutTemplates),
      failure: { message: `it ${error.message}`, line: null, column: null },
    };
  }
}

const renderBodyModule = new URL('../../../../domain/templates/render-body.ts', import.meta.url);
const noTemplates = { organization: null, global: null };

/** True if a user template renders the body, which requires the sandbox. */
export function needsSandbox(
  eventType: EventType,
  channel: Pick<ChannelTemplates, 'channel_type' | 'template' | 'templates' | 'preset'>,
  templates: DeliverySettings['templates'],
): boolean {
  if (channel.channel_type !== 'webhook') return false;
  const category = eventCategory(eventType);
  if (channel.template !== null || (category !== null && (channel.templates[category] ?? null) !== null))
    return true;
  if (channel.preset !== 'generic' || category === null) return false;
  return templates[category].organization !== null || templates[category].global !== null;
}
