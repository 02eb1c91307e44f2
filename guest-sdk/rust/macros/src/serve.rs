//! The impl block: each method serves one point.

use syn::{Error, FnArg, ImplItem, ImplItemFn, ItemImpl, Result};

use crate::nearest::nearest;
use crate::points;

/// One method and the point it serves.
pub struct Served<'a> {
    /// The point's name, as the contract writes it.
    pub point: &'static str,
    /// The method.
    pub method: &'a ImplItemFn,
}

/// Returns the points that the block serves, in the order written, or all errors of the block at once.
pub fn points(block: &ItemImpl) -> Result<Vec<Served<'_>>> {
    check_block(block)?;
    let mut served = Vec::new();
    let mut faults: Option<Error> = None;
    for item in &block.items {
        match serve(item) {
            Ok(point) => served.push(point),
            Err(fault) => match &mut faults {
                Some(faults) => faults.combine(fault),
                None => faults = Some(fault),
            },
        }
    }
    match faults {
        Some(faults) => Err(faults),
        None if served.is_empty() => Err(Error::new_spanned(
            &block.self_ty,
            format!(
                "this hook serves no point; add a method such as {}",
                shape("pre_turn")
            ),
        )),
        None => Ok(served),
    }
}

fn check_block(block: &ItemImpl) -> Result<()> {
    if let Some((_, path, _)) = &block.trait_ {
        return Err(Error::new_spanned(
            path,
            "`#[hook]` belongs on an impl block without a trait",
        ));
    }
    if !block.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &block.generics,
            "a hook cannot be generic",
        ));
    }
    Ok(())
}

fn serve(item: &ImplItem) -> Result<Served<'_>> {
    let ImplItem::Fn(method) = item else {
        return Err(Error::new_spanned(
            item,
            "only points go in here; put this into another impl block",
        ));
    };
    let name = method.sig.ident.to_string();
    let Some(point) = points::of_method(&name) else {
        return Err(Error::new(method.sig.ident.span(), no_point(&name)));
    };
    check_method(&name, method)?;
    Ok(Served { point, method })
}

fn no_point(name: &str) -> String {
    let help = match nearest(name, points::methods()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!(
            "\nthe points are: {}",
            points::methods().collect::<Vec<_>>().join(", ")
        ),
    };
    format!("`{name}` is not a lifecycle point{help}\nhelper functions go in another impl block")
}

fn check_method(name: &str, method: &ImplItemFn) -> Result<()> {
    let signature = &method.sig;
    let shape = shape(name);
    let fault = |message: &str| format!("{message}; a point is written {shape}");
    if let Some(word) = &signature.asyncness {
        return Err(Error::new_spanned(word, fault("a point cannot be async")));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &signature.generics,
            fault("a point cannot be generic"),
        ));
    }
    if let Some(condition) = method.attrs.iter().find(|attr| attr.path().is_ident("cfg")) {
        return Err(Error::new_spanned(
            condition,
            "a point cannot be conditional: the hook's descriptor always names it",
        ));
    }
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
        return Err(Error::new_spanned(receiver, fault("a point takes no self")));
    }
    if signature.inputs.len() != 1 {
        return Err(Error::new(
            signature.paren_token.span.join(),
            fault("a point takes one argument"),
        ));
    }
    Ok(())
}

fn shape(name: &str) -> String {
    format!("fn {name}(call: &{name}::Call) -> HookResult<{name}::Verdict>")
}

#[cfg(test)]
mod tests;
