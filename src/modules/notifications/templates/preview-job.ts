import type {
  EventData,
  EventType,
  NotificationTemplateCategory,
} from '../../../domain/routing/notification-event.ts';
import { checkTemplate } from '../../../domain/templates/check-template.ts';
import { renderTemplate } from '../../../domain/templates/render-template.ts';
import type { TemplateError } from '../../../domain/templates/template-error.ts';

export interface PreviewOrder {
  source: string;
  /** Whose variables there are; `null` for a template that is for every event. */
  category: NotificationTemplateCategory | null;
  event: EventData;
  /** Other events that the template will be asked to render. */
  otherEvents: EventData[];
}

export interface Preview {
  /** Null when it cannot be rendered. */
  rendered: string | null;
  isValidJson: boolean;
  errors: TemplateError[];
  /** Those of the other events that it cannot render. */
  failingEvents: EventType[];
}

/** Runs in the sandbox. */
export function previewTemplate({ source, category, event, otherEvents }: PreviewOrder): Preview {
  const check = checkTemplate(source, category);
  const result = renderTemplate(source, event);
  const failingEvents = otherEvents
    .filter((other) => !renderTemplate(source, other).ok)
    .map((other) => other.event);
  const rendered = result.ok ? { rendered: result.body, isValidJson: result.isValidJson } : notRendered;
  // Rendering stops at the first of what the check finds in all places.
  const errors = check.ok ? (result.ok ? [] : [result.error]) : check.errors;
  return { ...rendered, errors, failingEvents };
}

export const notRendered = { rendered: null, isValidJson: false };
