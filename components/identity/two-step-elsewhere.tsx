import { Section } from "@/components/ui/section";

/**
 * Shown in a single sign-on session, which `signOn` names: its provider handles second steps, so no code is needed
 * here.
 */
export function TwoStepElsewhere({ signOn }: { signOn: string }) {
  return (
    <Section title="Two-step sign-in">
      <p>
        You signed in with {signOn}, which asks for a second step if your organization requires one. No code
        is needed here.
      </p>
    </Section>
  );
}
