// What lies on the person's desk: the questions that this page knows, in order. It knows nothing of the DOM.

import type { Past, Place, Question, State } from "./wire";

/** Desk keeps what the server has told. */
export class Desk {
  readonly #known = new Map<string, Question>();
  #order: readonly Place[] = [];
  #put = new Set<string>(); // put away for now
  waiting = 0;
  history: readonly Past[] = [];

  /** take takes over a state and returns the questions that are new here, and the ids of those that are over. */
  take(state: State): { fresh: Question[]; over: string[] } {
    const before = new Set(this.#order.map(({ id }) => id));
    for (const question of state.questions) this.#known.set(question.id, question);
    const now = new Set(state.order.map(({ id }) => id));
    const over = [...before].filter((id) => !now.has(id));
    for (const id of over) {
      this.#known.delete(id);
      this.#put.delete(id);
    }
    this.#order = state.order;
    this.waiting = state.waiting;
    this.history = state.history;
    return { fresh: this.all().filter(({ id }) => !before.has(id)), over };
  }

  /** all are the questions that are open, oldest first. */
  all(): Question[] {
    return this.#order.flatMap(({ id }) => this.#known.get(id) ?? []);
  }

  /** current is the question to be shown as a dialog, if there is one. */
  current(): Question | undefined {
    const place = this.#order.find(({ id, dialog }) => dialog && !this.#put.has(id));
    return place && this.#known.get(place.id);
  }

  /** isMine reports whether this page is to show a question. */
  isMine(id: string): boolean {
    return this.#order.some((place) => place.id === id && place.dialog);
  }

  has(id: string): boolean {
    return this.#order.some((place) => place.id === id);
  }

  /** putAway keeps a question for later. */
  putAway(id: string): void {
    this.#put.add(id);
  }

  /** takeUp undoes putAway for all questions. */
  takeUp(): void {
    this.#put.clear();
  }

  /** outcome is how a question ended, if that is still known. */
  outcome(id: string): Past | undefined {
    return this.history.find((past) => past.id === id);
  }
}
