import type { NotificationTemplateCategory } from '../../../domain/routing/notification-event.ts';
import { categoryEvents, templateCategories } from '../../../domain/routing/notification-event.ts';
import { variablesOf } from '../../../domain/templates/template-variables.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  type InstallationDefaults,
  overrideSettings,
  readSettingStates,
  removeOverride,
  type SettingDeps,
  templateSettingKeys,
} from '../../settings/index.ts';
import { previewEffective, previewInSandbox, previewPreset } from './preview-template.ts';
import { sampleWithOverrides } from './sample-data.ts';

export interface TemplateHandlerDeps extends SettingDeps {
  defaults: InstallationDefaults;
}

type TemplateOperations =
  | 'listNotificationTemplates'
  | 'updateNotificationTemplate'
  | 'deleteNotificationTemplate'
  | 'previewNotificationTemplate';

/**
 * Creates the handlers for templates. An organization's template is stored as the override of a setting, so
 * both APIs return the same value.
 */
export function templateHandlers(deps: TemplateHandlerDeps): Handlers<TemplateOperations> {
  const { db, sandbox, defaults } = deps;
  return {
    async listNotificationTemplates({ caller }) {
      return { status: 200, body: { items: await readTemplates(db, caller.organizationId) } };
    },

    async updateNotificationTemplate({ caller, path, body, requestId, ifMatch }) {
      const { organizationId, actor, loginId } = caller;
      const key = templateSettingKeys[path.category];
      const change = { key, value: body.body, field: 'body' };
      const request = { organizationId, actor, loginId, requestId, ifMatch };
      const template = await overrideSettings(deps, request, [key], [change], (tx) =>
        readTemplate(tx, organizationId, path.category),
      );
      return { status: 200, body: template };
    },

    async deleteNotificationTemplate({ caller, path, requestId, ifMatch }) {
      const { organizationId, actor, loginId } = caller;
      const key = templateSettingKeys[path.category];
      if (!(await removeOverride(deps, { organizationId, actor, loginId, requestId, ifMatch }, key)))
        throw new ApiError(
          'not_found',
          `Your organization doesn't override the ${path.category} template, so the global template already applies.`,
        );
      return { status: 200, body: await readTemplate(db, organizationId, path.category) };
    },

    async previewNotificationTemplate({ caller, body }) {
      const { organizationId } = caller;
      const { category, preset } = body;
      const event = sampleWithOverrides(category, body.sample);
      const preview = async () => {
        if (body.body !== undefined) {
          return previewInSandbox(sandbox, organizationId, {
            source: body.body,
            category,
            event,
            otherEvents: [],
          });
        }
        if (preset !== undefined) return previewPreset(preset, event);
        const template = await readTemplate(db, organizationId, category);
        return previewEffective(sandbox, organizationId, category, template.body, event);
      };
      const { rendered, isValidJson, errors } = await preview();
      return { status: 200, body: { rendered, is_valid_json: isValidJson, errors } };
    },
  };

  async function readTemplates(
    from: Database | Tx,
    organizationId: number,
  ): Promise<Schemas['NotificationTemplateInfo'][]> {
    const states = await readSettingStates(from, organizationId, defaults);
    return templateCategories.map((category) => {
      const state = states.find((each) => each.key === templateSettingKeys[category])!;
      return {
        category,
        source: state.isOverridden ? 'organization_override' : 'global_default',
        body: String(state.value),
        default_body: String(state.globalValue),
        events: [...categoryEvents[category]],
        fields: variablesOf(category).map(({ name, type, description, example }) => ({
          name,
          type,
          description,
          example,
        })),
        updated_at: state.overriddenAt?.toISOString() ?? null,
        revision: state.revision,
      };
    });
  }

  async function readTemplate(
    from: Database | Tx,
    organizationId: number,
    category: NotificationTemplateCategory,
  ): Promise<Schemas['NotificationTemplateInfo']> {
    const templates = await readTemplates(from, organizationId);
    return templates.find((template) => template.category === category)!;
  }
}
