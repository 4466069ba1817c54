import { Section } from "@/components/ui/section";

/** In a session of single sign-on, which `signOn` names: its provider asks for second steps, and no code is asked for here. */
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
