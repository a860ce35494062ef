import type {
  EventData,
  EventType,
  NotificationTemplateCategory,
} from '../../../domain/routing/notification-event.ts';
import { checkTemplate } from '../../../domain/templates/check-template.ts';
import { renderTemplate } from '../../../domain/templates/render-template.ts';
import type { TemplateError } from '../../../domain/templates/template-error.ts';

export interface PreviewRequest {
  source: string;
  /** Category whose variables the template can use, or `null` for a template for all events. */
  category: NotificationTemplateCategory | null;
  event: EventData;
  /** Other events that the template must be able to render. */
  otherEvents: EventData[];
}

export interface Preview {
  /** Rendered body, or null if rendering failed. */
  rendered: string | null;
  isValidJson: boolean;
  errors: TemplateError[];
  /** Events from `otherEvents` that the template can't render. */
  failingEvents: EventType[];
}

/** Checks and renders a template. Runs in the sandbox. */
export function previewTemplate({ source, category, event, otherEvents }: PreviewRequest): Preview {
  const check = checkTemplate(source, category);
  const result = renderTemplate(source, event);
  const failingEvents = otherEvents
    .filter((other) => !renderTemplate(source, other).ok)
    .map((other) => other.event);
  const rendered = result.ok ? { rendered: result.body, isValidJson: result.isValidJson } : notRendered;
  // Return the errors of the check, because it reports all errors, while rendering stops at the first one.
  const errors = check.ok ? (result.ok ? [] : [result.error]) : check.errors;
  return { ...rendered, errors, failingEvents };
}

export const notRendered = { rendered: null, isValidJson: false };
