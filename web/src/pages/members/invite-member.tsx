import { Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { FormModal } from '../../ui/dialog.tsx';
import { memberRoleOptions, memberRoles } from './member-roles.ts';
import { OneTimeLink } from './one-time-link.tsx';

/**
 * Invites a member. Pacekeeper doesn't email the invitation, so the dialog shows the link for the user to
 * send.
 */
export function InviteMember({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { organization } = useMe();
  const [link, setLink] = useState<string | null>(null);
  const invite = useAction('inviteMember', { quiet: true });
  const form = useForm({ initialValues: { email: '', role: 'member' as Schemas['MemberRole'] } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    const { accept_url } = await invite.mutateAsync({ body });
    form.reset();
    onClose();
    setLink(accept_url);
  });
  const close = () => {
    onClose();
    form.reset();
  };
  return (
    <>
      <FormModal opened={isOpen} onClose={close} isDirty={() => form.isDirty()} title="Invite member">
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <TextInput label="Email" type="email" required data-autofocus {...form.getInputProps('email')} />
            <Select
              label="Role"
              description={memberRoles[form.values.role].about}
              data={memberRoleOptions(organization.role)}
              allowDeselect={false}
              {...form.getInputProps('role')}
            />
            <FormActions submit="Create invitation" isBusy={isBusy} error={error} onCancel={close} />
          </Stack>
        </form>
      </FormModal>
      <OneTimeLink
        title="Invitation created"
        about="Send this link to the new member. It works once and expires in 7 days."
        link={link}
        onClose={() => setLink(null)}
      />
    </>
  );
}
