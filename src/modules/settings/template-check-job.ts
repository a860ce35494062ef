import type { NotificationTemplateCategory } from '../../domain/routing/notification-event.ts';
import { checkTemplate, type TemplateCheck } from '../../domain/templates/check-template.ts';

export interface TemplateToCheck {
  source: string;
  /** Whose variables there are; `null` for a template that is for every event. */
  category: NotificationTemplateCategory | null;
}

/** Runs in the sandbox. */
export function checkEach(templates: readonly TemplateToCheck[]): TemplateCheck[] {
  return templates.map(({ source, category }) => checkTemplate(source, category));
}
