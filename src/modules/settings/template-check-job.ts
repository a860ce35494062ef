import type { NotificationTemplateCategory } from '../../domain/routing/notification-event.ts';
import { checkTemplate, type TemplateCheck } from '../../domain/templates/check-template.ts';

export interface TemplateToCheck {
  source: string;
  /** Category whose variables the template can use, or `null` for a template for all events. */
  category: NotificationTemplateCategory | null;
}

/** Checks each template. Runs in the sandbox. */
export function checkEach(templates: readonly TemplateToCheck[]): TemplateCheck[] {
  return templates.map(({ source, category }) => checkTemplate(source, category));
}
