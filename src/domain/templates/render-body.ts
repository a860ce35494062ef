import type { ChatButtons } from '../channels/chat-buttons.ts';
import {
  type EventData,
  eventCategory,
  type NotificationTemplateCategory,
} from '../routing/notification-event.ts';
import { defaultTemplates, renderDefaultBody } from './default-templates.ts';
import { type PresetId, type PresetOptions, renderPreset } from './presets.ts';
import { renderTemplate } from './render-template.ts';

export interface RenderBodyInput {
  event: EventData;
  /**
   * Category whose templates apply. Default: the category of the event. If `null`, only `template` can apply.
   */
  category?: NotificationTemplateCategory | null;
  channel: {
    template: string | null;
    templates: Readonly<Partial<Record<NotificationTemplateCategory, string | null>>>;
    preset: PresetId | null;
    presetOptions: PresetOptions;
  };
  /** Buttons for the message of a preset. `null` for a message without buttons. */
  buttons?: ChatButtons | null;
  /** Host that is stored for the keys of incidents. `null` means the host of the URLs in the event. */
  incidentHost?: string | null;
  /** The organization's template for the category, or `null`. */
  organizationTemplate: string | null;
  /** The installation's template for the category if an operator has set one, or `null`. */
  globalTemplate?: string | null;
}

export type UsedTemplate =
  | 'channel_category'
  | 'channel'
  | 'preset'
  | 'email'
  | 'ticket'
  | 'organization'
  | 'global_default';

export interface RenderedBody {
  body: string;
  /** Source of the body. After a failure, `preset` or `global_default`. */
  usedTemplate: UsedTemplate;
  /** Reason why the selected template didn't create the body, or `null` if it did. */
  failure: { message: string; line: number | null; column: number | null } | null;
}

/**
 * Renders the body of a message. Uses the first available of these: the channel's template for the category,
 * the channel's template, its preset unless it is `generic`, the organization's template, the global default.
 * If a template fails, the body is rendered with the channel's preset, because the platform accepts only that
 * format. Without a preset, it's rendered with the global default. The failure is reported, and the alert is
 * never lost. Accepts and returns plain data, so that it can run in a worker.
 */
export function renderBody(request: RenderBodyInput): RenderedBody {
  const { event, channel, organizationTemplate, globalTemplate = null } = request;
  const category = request.category === undefined ? eventCategory(event.event) : request.category;
  const ofCategory = category === null ? null : (channel.templates[category] ?? null);

  if (ofCategory !== null) return fromTemplate(ofCategory, 'channel_category', request);
  if (channel.template !== null) return fromTemplate(channel.template, 'channel', request);
  if (channel.preset !== null && channel.preset !== 'generic') return withoutTemplate(request, null);
  if (category !== null && organizationTemplate !== null)
    return fromTemplate(organizationTemplate, 'organization', request);
  if (category !== null && globalTemplate !== null && globalTemplate !== defaultTemplates[category]) {
    return fromTemplate(globalTemplate, 'global_default', request);
  }
  return withoutTemplate(request, null);
}

/** Returns the body to use without a custom template: that of the preset, otherwise the global default. */
function withoutTemplate(
  { event, channel, buttons = null, incidentHost = null }: RenderBodyInput,
  failure: RenderedBody['failure'],
): RenderedBody {
  const { preset, presetOptions } = channel;
  if (preset === null || preset === 'generic')
    return { body: renderDefaultBody(event), usedTemplate: 'global_default', failure };
  const body = renderPreset(preset, event, presetOptions, buttons, incidentHost);
  return { body, usedTemplate: 'preset', failure };
}

function fromTemplate(source: string, usedTemplate: UsedTemplate, request: RenderBodyInput): RenderedBody {
  const result = renderTemplate(source, request.event);
  if (!result.ok) {
    const { message, line, column } = result.error;
    return withoutTemplate(request, { message, line, column });
  }
  if (isMeantAsJson(result.body) && !result.isValidJson) {
    const message = "the output looks like JSON but isn't valid; use the json or json_escape filter";
    return withoutTemplate(request, { message, line: null, column: null });
  }
  return { body: result.body, usedTemplate, failure: null };
}

/**
 * True if the body is intended as JSON, so that invalid JSON is an error. For example, a name with a
 * quotation mark can result in invalid JSON, which the receiver would reject. False for plain text.
 */
export function isMeantAsJson(body: string): boolean {
  return /^\s*(?:\{(?![{%])|\[)/.test(body);
}
