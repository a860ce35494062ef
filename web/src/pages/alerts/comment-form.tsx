import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';

/**
 * Form for adding a comment to the activity of an alert. An unacknowledged alert can be acknowledged with the
 * same form.
 */
export function CommentForm({ alertId, isUnacknowledged }: { alertId: number; isUnacknowledged: boolean }) {
  const isAllowed = useHasRole('member');
  const [text, setText] = useState('');
  const comment = useAction('commentOnAlert', { done: 'Comment added' });
  const acknowledge = useAction('acknowledgeAlert', { done: 'Alert acknowledged' });
  if (!isAllowed) return null;
  const isEmpty = text.trim() === '';
  const input = { path: { id: alertId }, body: { comment: text.trim() } };
  const clear = { onSuccess: () => setText('') };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) comment.mutate(input, clear);
      }}
    >
      <Textarea
        aria-label="Comment"
        placeholder="Add a comment"
        autosize
        minRows={2}
        maxLength={4_000}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Group gap="xs" mt="xs" mb="md" justify="flex-end">
        {isUnacknowledged && (
          <Button
            variant="default"
            size="xs"
            disabled={isEmpty}
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate(input, clear)}
          >
            Acknowledge with comment
          </Button>
        )}
        <Button type="submit" size="xs" disabled={isEmpty} loading={comment.isPending}>
          Comment
        </Button>
      </Group>
    </form>
  );
}
