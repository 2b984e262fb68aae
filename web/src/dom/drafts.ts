// What the person has entered and nobody else has yet. It is kept for the next page of this tab,
// where it is put back or offered, and offered when its control goes. Secrets and files are not.

import type { Field } from "../data/field";
import type { Edit, Outbox, Reason } from "../data/outbox";
import { same, type Value } from "../data/value";
import { store, stored } from "../storage";
import { enter, type Editors, type Entry } from "./editors";
import type { Instance } from "./instance";
import { labelOf } from "./label";
import { isSecret, localOf, writeLocal } from "./local";
import type { Page } from "./page";
import { around, at, placeIn, placeOf, type Place } from "./place";
import { UnsavedList, type Kept } from "./unsaved";
import { WRITTEN_IN } from "./written";

export interface DraftsParts {
  readonly session: string;
  readonly page: Page;
  readonly editors: Editors;
  readonly outbox: Outbox;
}

/** Saved is a draft as it is stored: a card of the list of unsaved edits, if it cannot be put back. */
interface Saved extends Kept {
  readonly base?: Value; // of a bound control: the server's value
  readonly committed?: boolean; // the person has left the control
  readonly used?: boolean; // an action has had the content since
}

/** Typed is what is known of a control without a binding that the person has used. */
interface Typed {
  readonly instance: Instance;
  place: Place;
  used: boolean; // the person has acted in the same view since
  value?: Value | undefined; // what look has found
}

/** Drafts keeps what the person enters. */
export class Drafts {
  readonly unsaved = new UnsavedList((element, value) => this.#write(element, value));
  epoch: string | undefined; // the life of the session that is displayed
  readonly #parts: DraftsParts;
  readonly #typed = new Map<Element, Typed>(); // controls without a binding
  readonly #key: string; // in the session storage
  #before: { readonly field: Field; readonly value: Value }[] = []; // edits that look has found
  #waiting: Saved[] = []; // for components to be defined: until then these, and their options, hold nothing

  constructor(parts: DraftsParts) {
    this.#parts = parts;
    this.#key = `ui-unsaved:${parts.session}`;
  }

  /** listen keeps the drafts whenever the page may not come back. */
  listen(signal: AbortSignal): void {
    window.addEventListener("pagehide", () => this.#save(), { signal });
    window.addEventListener("pageshow", ({ persisted }) => { if (persisted) this.#clear(); }, { signal });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#save();
      else this.#clear();
    }, { signal });
  }

  /** typed notes that the person has entered something into a control. */
  typed(element: Element): void {
    isSecret(element); // it may be made visible
    const known = this.#typed.get(element);
    if (known !== undefined) known.used = false;
    else if (this.#parts.editors.of(element) === undefined) this.#add(element);
  }

  #add(element: Element): void {
    const instance = around(element, this.#parts.page.instances);
    if (instance === undefined) return;
    this.#typed.set(element, { instance, place: placeIn(instance, element, this.epoch), used: false });
  }

  /** content returns what the person has made of a control without a binding; undefined: nothing. */
  #content(element: Element): Value | undefined {
    if (element.matches(WRITTEN_IN)) return element.textContent?.trim() || undefined;
    return localOf(element);
  }

  /** has reports whether the person has entered something into a control without a binding. */
  has(element: Element): boolean {
    return this.#typed.has(element) && this.#content(element) !== undefined;
  }

  /** used notes that the person has acted in a view, which may have read what they entered. */
  used(instance: Instance): void {
    for (const typed of this.#typed.values()) if (typed.instance === instance) typed.used = true;
  }

  /** look notes what controls hold before a message of the server changes the page. */
  look(): void {
    this.#before = this.#parts.outbox.unsent().filter(({ field }) => field.edited);
    for (const [element, typed] of this.#typed) {
      typed.value = this.#content(element);
      typed.place = placeIn(typed.instance, element, this.epoch); // another run has other objects
    }
  }

  /** sweep offers what controls have held that are gone, or that hold something else since look. */
  sweep(): void {
    const { outbox } = this.#parts;
    for (const { field, value } of this.#before.splice(0)) {
      if (field.edited && !same(field.editor.read() ?? null, value)) outbox.reject(field, value, "gone");
    }
    for (const [element, { place, used, value }] of this.#typed) {
      if (element.isConnected && (value === undefined || same(this.#content(element) ?? null, value))) continue;
      this.#typed.delete(element);
      if (value !== undefined && !used) this.#offer(element, value, "gone", element, place);
    }
  }

  /** undelivered offers an edit that will not be sent. */
  undelivered(entry: Entry, { field, owner, value }: Edit, reason: Reason): void {
    const { element, control, written } = entry;
    const file = control.load !== undefined; // only the person can choose it again
    const place = file || written === "" ? undefined : { ...placeOf(entry, this.epoch), object: owner };
    this.#offer(element, file && Array.isArray(value) ? (value[0] ?? null) : value, reason, field, place);
  }

  /** offer offers what the person has entered into an element. origin and place tell edits of the same text apart. */
  #offer(element: Element, value: Value, reason: Reason, origin: object, place: Place | undefined): void {
    this.#show({ label: labelOf(element), value, reason, place }, isSecret(element), origin);
  }

  #show(kept: Kept, secret: boolean, origin: object): void {
    const find = (): Element | undefined => {
      const to = this.#at(kept.place);
      return to !== undefined && secret && !isSecret(to) ? undefined : to; // it would be displayed
    };
    this.unsaved.add({ ...kept, secret, origin, find });
  }

  /** at returns the control of a place, if that is displayed. */
  #at(place: Place | undefined): Element | undefined {
    const { page, editors } = this.#parts;
    return place?.epoch === this.epoch ? place && at(place, page.instances, editors) : undefined;
  }

  /** write puts what was offered into a control, and sends it. It reports whether it fits. */
  #write(element: Element, value: Value): boolean {
    const { editors, outbox } = this.#parts;
    const entry = editors.of(element);
    if (entry === undefined) return writeLocal(element, value);
    const fits = enter(entry, value);
    outbox.commit(entry.field);
    return fits;
  }

  /** restore puts back what the page before this one has kept, where it fits, and offers the rest. */
  restore(): void {
    for (const saved of this.#load()) {
      const element = this.#find(saved);
      if (element?.matches(":not(:defined), :has(:not(:defined))") === true) this.#waiting.push(saved);
      else this.#return(saved);
    }
  }

  /** defined is called when components have been defined. */
  defined(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((saved) => this.#find(saved)?.matches(":not(:defined)"));
    for (const saved of waiting) if (!this.#waiting.includes(saved)) this.#return(saved);
  }

  #find({ reason, place }: Saved): Element | undefined {
    return reason === "closed" ? this.#at(place) : undefined;
  }

  #return(saved: Saved): void {
    if (!this.#putBack(saved) && saved.used !== true) this.#show(saved, false, {});
  }

  /** putBack reports whether a draft is where it was, or has arrived. */
  #putBack(saved: Saved): boolean {
    const { value, base, committed } = saved;
    const element = this.#find(saved);
    if (element === undefined) return false;
    const { editors, outbox } = this.#parts;
    const entry = editors.of(element);
    if (entry === undefined) {
      if (localOf(element) !== undefined || !writeLocal(element, value)) return false;
      this.#add(element);
      return true;
    }
    const { field } = entry;
    if (same(field.server, value)) return true;
    if (base === undefined || field.held || !same(field.server, base) || !enter(entry, value)) return false;
    if (committed === true) outbox.commit(field);
    return true;
  }

  #save(): void {
    const { outbox, editors } = this.#parts;
    const saved: Saved[] = [...this.unsaved.kept(), ...this.#waiting];
    for (const { field, value, committed } of outbox.unsent()) {
      const entry = editors.entry(field);
      if (entry === undefined || entry.control.load !== undefined || isSecret(entry.element)) continue;
      const { element } = entry;
      saved.push({ label: labelOf(element), value, reason: "closed", place: placeOf(entry, this.epoch), base: field.server, committed });
    }
    for (const [element, { instance, used }] of this.#typed) {
      const value = isSecret(element) ? undefined : this.#content(element);
      if (value !== undefined) saved.push({ label: labelOf(element), value, reason: "closed", place: placeIn(instance, element, this.epoch), used });
    }
    store("sessionStorage", this.#key, saved.length > 0 ? JSON.stringify(saved) : undefined);
  }

  #clear(): void {
    store("sessionStorage", this.#key, undefined);
  }

  #load(): Saved[] {
    try {
      const saved: unknown = JSON.parse(stored("sessionStorage", this.#key) ?? "[]");
      this.#clear();
      return Array.isArray(saved) ? (saved as Saved[]) : [];
    } catch {
      return []; // a script of the app has written something else there
    }
  }
}
